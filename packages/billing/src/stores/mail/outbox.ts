import { Environment, type UnixMs } from '@quittance/domain'
import type { Sql, SqlRun } from '@quittance/event-store'
import type { PublicEvent } from '@quittance/projections'
import * as t from 'io-ts'
import { type Times, timeArguments, timeOfRow } from '../../kernel/clock.ts'
import { exists, isChanged, query, write } from '../sql/query.ts'

const MailToSend = t.strict({
  id: t.number,
  environment: Environment,
  /** What the mail is about, and the id of that: its text is written when it is sent. */
  kind: t.keyof({ entry_code: null, new_email_code: null, old_email_code: null, public_event: null }),
  about: t.string,
  tries: t.number,
})
/** A mail that waits, without personal data. `tries` counts those before the present one. */
export type MailToSend = t.TypeOf<typeof MailToSend>

/** The mails that are to be sent. A mail may go out twice if a process dies between sending and `done`. */
export interface Outbox {
  /** Worthless after `endsAt`. */
  readonly add: (mail: Pick<MailToSend, 'environment' | 'kind' | 'about'>, now: UnixMs, endsAt: UnixMs) => Promise<void>
  /** Takes mails that are due. Whoever has not answered for one within `leaseMs` loses it to the next taker. */
  readonly take: (
    environment: Environment,
    most: number,
    leaseMs: number,
    now: UnixMs,
  ) => Promise<ReadonlyArray<MailToSend>>
  readonly retryAt: (id: number, at: UnixMs) => Promise<void>
  readonly done: (id: number) => Promise<void>
  /** The last public event that was read for mails; null before the first. `begunAt` is what a new outbox begins behind. */
  readonly lastRead: (begunAt: string | null) => Promise<string | null>
  /**
   * Adds mails about public events, and notes the last one that was read. Changes nothing where another process has read on
   * from `from` meanwhile, so that each event is added once.
   */
  readonly readOn: (
    from: string | null,
    to: string,
    events: ReadonlyArray<Pick<PublicEvent, 'id' | 'environment'> & { readonly now: UnixMs; readonly endsAt: UnixMs }>,
  ) => Promise<boolean>
  readonly purge: (now: Times) => Promise<void>
}

export const outboxTable = `
  CREATE TABLE IF NOT EXISTS outgoing_mails (
    id INTEGER PRIMARY KEY AUTOINCREMENT, environment TEXT NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL,
    due_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, tries INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS outgoing_mails_due ON outgoing_mails (environment, due_at);
  CREATE TABLE IF NOT EXISTS mail_feed (one INTEGER PRIMARY KEY CHECK (one = 1), last_event TEXT NOT NULL) STRICT`

const insert = write(
  'INSERT INTO outgoing_mails (environment, kind, about, due_at, ends_at, tries) VALUES (?, ?, ?, ?, ?, 0)',
)
const selectDue = `SELECT id, environment, kind, about, tries FROM outgoing_mails
  WHERE environment = ? AND due_at <= ? AND ends_at > ? ORDER BY due_at, id LIMIT ?`
const isAnyDue = exists(selectDue)
const lease = write('UPDATE outgoing_mails SET due_at = ?, tries = tries + 1 WHERE id = ?')
const retry = write('UPDATE outgoing_mails SET due_at = ? WHERE id = ?')
const remove = write('DELETE FROM outgoing_mails WHERE id = ?')
const purge = write(`DELETE FROM outgoing_mails WHERE ends_at <= ${timeOfRow}`)

const begin = write('INSERT INTO mail_feed VALUES (1, ?) ON CONFLICT DO NOTHING')
const lastRead = query(t.strict({ id: t.string }), 'SELECT last_event AS id FROM mail_feed')
const readOn = isChanged('UPDATE mail_feed SET last_event = ? WHERE one = 1 AND last_event = ?')
/** The column takes no null. */
const atBeginning = ''

const byRow: SqlRun = {
  isolation: {
    level: 'read committed',
    because:
      'what finds a mail locks its row, passes over those that another process takes, and leaves out those that it took',
  },
}

/** Beside claims and cursors, where every process finds it. */
export const outbox = ({ run, dialect }: Sql): Outbox => {
  const due = query(MailToSend, `${selectDue} ${dialect.skipLocked}`)
  return {
    add: ({ environment, kind, about }, now, endsAt) => run(insert(environment, kind, about, now, endsAt)),
    take: async (environment, most, leaseMs, now) => {
      // The first look takes no lock: most often nothing is due.
      if (!(await run(isAnyDue(environment, now, now, 1)))) return []
      return run(function* () {
        const taken = yield* due.all(environment, now, now, most)()
        for (const { id } of taken) yield* lease(now + leaseMs, id)()
        return taken
      }, byRow)
    },
    retryAt: (id, at) => run(retry(at, id), byRow),
    done: (id) => run(remove(id), byRow),
    lastRead: (begunAt) =>
      run(function* () {
        const known = yield* lastRead.one()()
        if (known === null) yield* begin(begunAt ?? atBeginning)()
        const last = known?.id ?? begunAt
        return last === atBeginning ? null : last
      }),
    readOn: (from, to, events) =>
      run(function* () {
        if (!(yield* readOn(to, from ?? atBeginning)())) return false
        for (const { id, environment, now, endsAt } of events)
          yield* insert(environment, 'public_event', id, now, endsAt)()
        return true
      }),
    purge: (now) => run(purge(...timeArguments(now)), byRow),
  }
}
