import { type UnixMs, unixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'

/** How far an endpoint has come. `beginsAt`: nothing that happened before is delivered to it. */
export type Progress = {
  readonly beginsAt: UnixMs
  /** The id of the last event that was looked at for it; null: begin behind where it was made. */
  readonly lastEvent: string | null
  readonly isSuspended: boolean
}

/** How far each endpoint has come in the feed, and when it is due. */
export interface EndpointList {
  readonly progress: (webhookId: string) => Progress | null
  readonly enrol: (webhookId: string, beginsAt: UnixMs) => void
  readonly reached: (webhookId: string, lastEvent: string) => void
  readonly suspend: (webhookId: string, isSuspended: boolean) => void
  /** Since when it has done nothing but fail, with this failure. */
  readonly failed: (webhookId: string, at: UnixMs) => UnixMs
  readonly succeeded: (webhookId: string) => void
  readonly remove: (webhookId: string) => void
  /** To be called after its deliveries have changed: finds out when the first of them is due. */
  readonly refresh: (webhookId: string) => void
  readonly due: (now: number, most: number) => ReadonlyArray<string>
  /** When the next endpoint falls due after a moment. */
  readonly nextDue: (after: number) => number | null
  readonly all: () => ReadonlyArray<string>
}

export const endpointList = (database: SqlDatabase): EndpointList => {
  const progress = database.prepare(
    'SELECT begins_at, last_event, is_suspended FROM webhook_endpoints WHERE webhook_id = ?',
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
  const due = database.prepare('SELECT webhook_id FROM webhook_endpoints WHERE next_due <= ? ORDER BY next_due LIMIT ?')
  const nextDue = database.prepare('SELECT min(next_due) AS next_due FROM webhook_endpoints WHERE next_due > ?')
  const all = database.prepare('SELECT webhook_id FROM webhook_endpoints')
  return {
    progress: (webhookId) => {
      const row = progress.get(webhookId)
      if (row === undefined) return null
      const { begins_at, last_event, is_suspended } = row
      return {
        beginsAt: unixMs(Number(begins_at)),
        lastEvent: last_event === null ? null : String(last_event),
        isSuspended: is_suspended === 1,
      }
    },
    enrol: (webhookId, beginsAt) => void enrol.run(webhookId, beginsAt),
    reached: (webhookId, lastEvent) => void reached.run(lastEvent, webhookId),
    suspend: (webhookId, isSuspended) => void suspend.run(isSuspended ? 1 : 0, webhookId),
    failed: (webhookId, at) => unixMs(Number(failed.get(at, webhookId)?.failing_since ?? at)),
    succeeded: (webhookId) => void succeeded.run(webhookId),
    remove: (webhookId) => void remove.run(webhookId),
    refresh: (webhookId) => void refresh.run(webhookId),
    due: (now, most) => due.all(now, most).map(({ webhook_id }) => String(webhook_id)),
    nextDue: (after) => {
      const at = nextDue.get(after)?.next_due
      return typeof at === 'number' ? at : null
    },
    all: () => all.all().map(({ webhook_id }) => String(webhook_id)),
  }
}
