import { Environment, type UnixMs } from '@quittance/domain'
import type { Sql, SqlRun } from '@quittance/event-store'
import * as t from 'io-ts'
import { type Times, timeArguments, timeOfRow } from '../../kernel/clock.ts'
import { exists, query, write } from '../sql/query.ts'

const MailToSend = t.strict({
  id: t.number,
  environment: Environment,
  /** What the mail is about, and the id of that: its text is written when it is sent. */
  kind: t.keyof({ entry_code: null, new_email_code: null, old_email_code: null }),
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
  readonly purge: (now: Times) => Promise<void>
}

export const outboxTable = `
  CREATE TABLE IF NOT EXISTS outgoing_mails (
    id INTEGER PRIMARY KEY AUTOINCREMENT, environment TEXT NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL,
    due_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, tries INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS outgoing_mails_due ON outgoing_mails (environment, due_at)`

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
    purge: (now) => run(purge(...timeArguments(now)), byRow),
  }
}
