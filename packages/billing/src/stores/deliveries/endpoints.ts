import { type Environment, UnixMs } from '@quittance/domain'
import { mapProgram, type SqlDialect, type SqlProgram } from '@quittance/event-store'
import * as t from 'io-ts'
import { type Times, timeArguments, timeOfRow } from '../../kernel/clock.ts'
import { orNull, query, write } from '../sql/query.ts'

const ProgressRow = t.strict({
  /** Nothing that happened before is delivered to the endpoint. */
  beginsAt: UnixMs,
  /** The id of the last event that was read for it; null before the first. */
  lastEvent: orNull(t.string),
  isSuspended: t.number,
})
export type Progress = Omit<t.TypeOf<typeof ProgressRow>, 'isSuspended'> & { readonly isSuspended: boolean }

/** The position of each endpoint in the feed, and when it is due. A caller runs several of these programs as one. */
export interface EndpointList {
  /**
   * Until the end of the transaction, only this program works on the endpoint's deliveries. A program holds an endpoint first, and
   * several in the order of their ids. Null without progress, and then nobody is kept away.
   */
  readonly hold: (webhookId: string) => SqlProgram<Progress | null>
  /** The same without waiting: null also while another program holds it. */
  readonly holdAtOnce: (webhookId: string) => SqlProgram<Progress | null>
  readonly progress: (webhookId: string) => SqlProgram<Progress | null>
  readonly enrol: (webhookId: string, beginsAt: UnixMs) => SqlProgram<void>
  readonly reached: (webhookId: string, lastEvent: string) => SqlProgram<void>
  readonly suspend: (webhookId: string, isSuspended: boolean) => SqlProgram<void>
  /** Records a failure; returns when the present run of failures began. */
  readonly failed: (webhookId: string, at: UnixMs) => SqlProgram<UnixMs>
  readonly succeeded: (webhookId: string) => SqlProgram<void>
  readonly remove: (webhookId: string) => SqlProgram<void>
  /** Call it after the endpoint's deliveries have changed: it finds when the first of them is due. */
  readonly refresh: (webhookId: string) => SqlProgram<void>
  readonly due: (now: Times, most: number) => SqlProgram<ReadonlyArray<string>>
  /** The first time after a moment at which an endpoint of an environment falls due. */
  readonly nextDue: (environment: Environment, after: number) => SqlProgram<number | null>
  readonly all: SqlProgram<ReadonlyArray<string>>
}

/** An endpoint that is due has deliveries, all in its own environment. */
const ofDeliveries = `(SELECT environment FROM webhook_deliveries AS made
  WHERE made.webhook_id = webhook_endpoints.webhook_id LIMIT 1)`

const progressWith = (lock: string) => {
  const found = query(
    ProgressRow,
    `SELECT begins_at AS "beginsAt", last_event AS "lastEvent", is_suspended AS "isSuspended" FROM webhook_endpoints
     WHERE webhook_id = ? ${lock}`,
  )
  return (webhookId: string): SqlProgram<Progress | null> =>
    mapProgram(found.one(webhookId), (row) => row && { ...row, isSuspended: row.isSuspended === 1 })
}
const enrol = write('INSERT INTO webhook_endpoints VALUES (?, ?, NULL, NULL, 0, NULL) ON CONFLICT DO NOTHING')
const reached = write('UPDATE webhook_endpoints SET last_event = ? WHERE webhook_id = ?')
const suspend = write('UPDATE webhook_endpoints SET is_suspended = ? WHERE webhook_id = ?')
const failed = query(
  t.strict({ since: UnixMs }),
  `UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, ?) WHERE webhook_id = ?
   RETURNING failing_since AS since`,
)
const succeeded = write(
  'UPDATE webhook_endpoints SET failing_since = NULL WHERE webhook_id = ? AND failing_since IS NOT NULL',
)
const remove = write('DELETE FROM webhook_endpoints WHERE webhook_id = ?')
const refresh = write(
  `UPDATE webhook_endpoints SET next_due = CASE is_suspended WHEN 1 THEN NULL ELSE (
     SELECT min(due_at) FROM webhook_deliveries
     WHERE webhook_deliveries.webhook_id = webhook_endpoints.webhook_id AND due_at IS NOT NULL
   ) END WHERE webhook_id = ?`,
)
const Named = t.strict({ id: t.string })
const idsOf = (named: ReadonlyArray<t.TypeOf<typeof Named>>): ReadonlyArray<string> => named.map(({ id }) => id)
const due = query(
  Named,
  `SELECT webhook_id AS id FROM webhook_endpoints
   WHERE next_due <= ? AND next_due <= ${timeOfRow.replace('environment', ofDeliveries)} ORDER BY next_due LIMIT ?`,
)
const nextDue = query(
  t.strict({ at: orNull(t.number) }),
  `SELECT min(next_due) AS at FROM webhook_endpoints WHERE next_due > ? AND ${ofDeliveries} = ?`,
)
const all = query(Named, 'SELECT webhook_id AS id FROM webhook_endpoints')

export const endpointList = (dialect: SqlDialect): EndpointList => ({
  hold: progressWith(dialect.lockRows),
  holdAtOnce: progressWith(dialect.skipLocked),
  progress: progressWith(''),
  enrol,
  reached: (webhookId, lastEvent) => reached(lastEvent, webhookId),
  suspend: (webhookId, isSuspended) => suspend(isSuspended ? 1 : 0, webhookId),
  failed: (webhookId, at) => mapProgram(failed.one(at, webhookId), (found) => found?.since ?? at),
  succeeded,
  remove,
  refresh,
  due: (now, most) => {
    const times = timeArguments(now)
    return mapProgram(due.all(Math.max(...times), ...times, most), idsOf)
  },
  nextDue: (environment, after) => mapProgram(nextDue.one(after, environment), (found) => found?.at ?? null),
  all: mapProgram(all.all(), idsOf),
})
