import { type Environment, UnixMs, unixMs } from '@quittance/domain'
import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import * as t from 'io-ts'
import { type Times, timeArguments, timeOfRow } from '../../kernel/clock.ts'
import { orNull, query } from '../sql/query.ts'

const ProgressRow = t.strict({
  /** Nothing that happened before is delivered to the endpoint. */
  beginsAt: UnixMs,
  /** The id of the last event that was read for it; null before the first. */
  lastEvent: orNull(t.string),
  isSuspended: t.number,
})
export type Progress = Omit<t.TypeOf<typeof ProgressRow>, 'isSuspended'> & { readonly isSuspended: boolean }

/** The position of each endpoint in the feed, and when it is due. */
export interface EndpointList {
  readonly progress: (webhookId: string) => Progress | null
  readonly enrol: (webhookId: string, beginsAt: UnixMs) => void
  readonly reached: (webhookId: string, lastEvent: string) => void
  readonly suspend: (webhookId: string, isSuspended: boolean) => void
  /** Records a failure; returns when the present run of failures began. */
  readonly failed: (webhookId: string, at: UnixMs) => UnixMs
  readonly succeeded: (webhookId: string) => void
  readonly remove: (webhookId: string) => void
  /** Call it after the endpoint's deliveries have changed: it finds when the first of them is due. */
  readonly refresh: (webhookId: string) => void
  readonly due: (now: Times, most: number) => ReadonlyArray<string>
  /** The first time after a moment at which an endpoint of an environment falls due. */
  readonly nextDue: (environment: Environment, after: number) => number | null
  readonly all: () => ReadonlyArray<string>
}

/** An endpoint that is due has deliveries, all in its own environment. */
const ofDeliveries = `(SELECT environment FROM webhook_deliveries AS made
  WHERE made.webhook_id = webhook_endpoints.webhook_id LIMIT 1)`

export const endpointList = (database: SqlDatabase): EndpointList => {
  const progress = query(
    database,
    ProgressRow,
    `SELECT begins_at AS beginsAt, last_event AS lastEvent, is_suspended AS isSuspended FROM webhook_endpoints
     WHERE webhook_id = ?`,
  )
  const enrol = database.prepare('INSERT OR IGNORE INTO webhook_endpoints VALUES (?, ?, NULL, NULL, 0, NULL)')
  const reached = database.prepare('UPDATE webhook_endpoints SET last_event = ? WHERE webhook_id = ?')
  const suspend = database.prepare('UPDATE webhook_endpoints SET is_suspended = ? WHERE webhook_id = ?')
  const failed = database.prepare(
    `UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, ?) WHERE webhook_id = ?
     RETURNING failing_since`,
  )
  const succeeded = database.prepare(
    'UPDATE webhook_endpoints SET failing_since = NULL WHERE webhook_id = ? AND failing_since IS NOT NULL',
  )
  const remove = database.prepare('DELETE FROM webhook_endpoints WHERE webhook_id = ?')
  const refresh = database.prepare(
    `UPDATE webhook_endpoints SET next_due = CASE is_suspended WHEN 1 THEN NULL ELSE (
       SELECT min(due_at) FROM webhook_deliveries
       WHERE webhook_deliveries.webhook_id = webhook_endpoints.webhook_id AND due_at IS NOT NULL
     ) END WHERE webhook_id = ?`,
  )
  const due = database.prepare(`SELECT webhook_id FROM webhook_endpoints
     WHERE next_due <= ? AND next_due <= ${timeOfRow.replace('environment', ofDeliveries)} ORDER BY next_due LIMIT ?`)
  const nextDue = database.prepare(
    `SELECT min(next_due) AS next_due FROM webhook_endpoints WHERE next_due > ? AND ${ofDeliveries} = ?`,
  )
  const all = database.prepare('SELECT webhook_id FROM webhook_endpoints')
  return {
    progress: (webhookId) => {
      const found = progress.one(webhookId)
      return found === null ? null : { ...found, isSuspended: found.isSuspended === 1 }
    },
    enrol: (webhookId, beginsAt) => void enrol.run(webhookId, beginsAt),
    reached: (webhookId, lastEvent) => void reached.run(lastEvent, webhookId),
    suspend: (webhookId, isSuspended) => void suspend.run(isSuspended ? 1 : 0, webhookId),
    failed: (webhookId, at) => unixMs(Number(failed.get(at, webhookId)?.failing_since ?? at)),
    succeeded: (webhookId) => void succeeded.run(webhookId),
    remove: (webhookId) => void remove.run(webhookId),
    refresh: (webhookId) => void refresh.run(webhookId),
    due: (now, most) => {
      const times = timeArguments(now)
      return due.all(Math.max(...times), ...times, most).map(idOf)
    },
    nextDue: (environment, after) => {
      const at = nextDue.get(after, environment)?.next_due
      return typeof at === 'number' ? at : null
    },
    all: () => all.all().map(idOf),
  }
}

const idOf = ({ webhook_id }: SqlRow): string => String(webhook_id)
