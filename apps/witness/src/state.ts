import { closeSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** What was last cosigned for a log: the text of the checkpoint, and the whole note with our cosignature. */
const Latest = t.strict({ text: t.string, note: t.string })
export type Latest = t.TypeOf<typeof Latest>

const Identity = t.strict({ vkey: t.string })

/** What a witness must never forget. Each method that writes has the write on disk before it returns. */
export type WitnessState = {
  /** The verifier key under which this state has cosigned; null before its first start has ended. */
  readonly identity: () => string | null
  readonly identify: (vkey: string) => void
  readonly latest: (origin: string) => Latest | null
  /** Stores the latest of a log if `before` is still the text of the one before (null: none). False: it is another by now. */
  readonly replace: (origin: string, before: string | null, latest: Latest) => boolean
  readonly close: () => void
}

const decoded = <A>(codec: t.Decoder<unknown, A>, row: unknown): A | null => {
  if (row === undefined) return null
  const value = codec.decode(row)
  if (E.isLeft(value)) throw new Error('The database of the witness holds a row of another shape')
  return value.right
}

/** Opens the database of a witness; makes it where it is missing, for its owner alone. */
export const openState = (path: string): WitnessState => {
  closeSync(openSync(path, 'a', 0o600))
  const database = new Database(path)
  database.pragma('busy_timeout = 5000')
  database.pragma('journal_mode = WAL')
  // Every commit is on disk before it returns: an answer that leaves before would outlive a crash that its state does not.
  database.pragma('synchronous = FULL')
  database.exec(`
    create table if not exists identity (one integer primary key check (one = 1), vkey text not null) strict;
    create table if not exists latest (origin text primary key, text text not null, note text not null) strict;
  `)
  const identity = database.prepare('select vkey from identity')
  const identify = database.prepare('insert into identity (one, vkey) values (1, ?)')
  const latest = database.prepare('select text, note from latest where origin = ?')
  const insert = database.prepare('insert into latest (origin, text, note) values (?, ?, ?) on conflict do nothing')
  const update = database.prepare('update latest set text = ?, note = ? where origin = ? and text = ?')
  return {
    identity: () => decoded(Identity, identity.get())?.vkey ?? null,
    identify: (vkey) => {
      identify.run(vkey)
    },
    latest: (origin) => decoded(Latest, latest.get(origin)),
    // One statement, so comparing and storing are one transaction.
    replace: (origin, before, { text, note }) => {
      const { changes } = before === null ? insert.run(origin, text, note) : update.run(text, note, origin, before)
      return changes === 1
    },
    close: () => {
      database.close()
    },
  }
}
