import { rowsOf, type SqlDialect, type SqlProgram, type SqlRow } from '@quittance/event-store'
import { write } from '../sql/query.ts'

/** The keyed hash of a text, as 64 hex digits: who has no master key cannot make one. */
export type ChainHash = (text: string) => string

/** Where a record stands in the chain, counted from 1, and its hash over itself and the one before it. */
export type Link = { readonly link: number; readonly hash: string }
/** Before the first record. */
export const noLink: Link = { link: 0, hash: '' }

/** What a row says of the use of a key. */
export type ChainedFields = {
  readonly at: number
  readonly key: string
  readonly account: string
  readonly purpose: string
  readonly digest: string | null
  readonly actor: string
  readonly log_mark: string | null
}

export const signingHeadTable = `
  CREATE TABLE IF NOT EXISTS signing_head (
    "only" INTEGER PRIMARY KEY CHECK ("only" = 1), link INTEGER NOT NULL, hash TEXT NOT NULL
  ) STRICT`
/** For a table that has the column by now. */
export const unlinkedIndex = `
  CREATE INDEX IF NOT EXISTS signing_records_unlinked ON signing_records (number) WHERE link IS NULL`

/** The place of a record behind another. */
export const linkAfter = (hashOf: ChainHash, before: Link, fields: ChainedFields): Link => {
  const { at, key, account, purpose, digest, actor, log_mark } = fields
  const link = before.link + 1
  return { link, hash: hashOf(JSON.stringify([before.hash, link, at, key, account, purpose, digest, actor, log_mark])) }
}

const begin = write(`INSERT INTO signing_head ("only", link, hash) VALUES (1, 0, '') ON CONFLICT DO NOTHING`)
const move = write('UPDATE signing_head SET link = ?, hash = ?')
const place = write('UPDATE signing_records SET link = ?, hash = ? WHERE number = ?')

/** The head of the chain, which nobody else moves until the end of the transaction. */
const lockedHead = (dialect: SqlDialect): SqlProgram<Link> =>
  function* () {
    yield* begin()()
    const [head] = yield* rowsOf(`SELECT link, hash FROM signing_head ${dialect.lockRows}`)()
    return head === undefined ? noLink : { link: Number(head.link), hash: String(head.hash) }
  }

/** Writes a record behind the newest one. */
export const linking = (
  dialect: SqlDialect,
  hashOf: ChainHash,
  fields: ChainedFields,
  insert: (link: Link) => SqlProgram<void>,
): SqlProgram<void> =>
  function* () {
    const next = linkAfter(hashOf, yield* lockedHead(dialect)(), fields)
    yield* insert(next)()
    yield* move(next.link, next.hash)()
  }

/** Puts records of an earlier release, which has none, into the chain: in their order, behind all that are there. */
export const linkOlder = (dialect: SqlDialect, hashOf: ChainHash): SqlProgram<void> =>
  function* () {
    const older = yield* rowsOf('SELECT * FROM signing_records WHERE link IS NULL ORDER BY number')()
    if (older.length === 0) return
    let head = yield* lockedHead(dialect)()
    for (const row of older) {
      head = linkAfter(hashOf, head, fieldsOf(row))
      yield* place(head.link, head.hash, Number(row.number))()
    }
    yield* move(head.link, head.hash)()
  }

const textOrNull = (value: SqlRow[string]): string | null => (typeof value === 'string' ? value : null)

export const fieldsOf = ({ at, key, account, purpose, digest, actor, log_mark }: SqlRow): ChainedFields => ({
  at: Number(at),
  key: String(key),
  account: String(account),
  purpose: String(purpose),
  digest: textOrNull(digest ?? null),
  actor: String(actor),
  log_mark: textOrNull(log_mark ?? null),
})
