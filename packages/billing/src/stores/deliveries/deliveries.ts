import type { UnixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import { type Delivery, deliveryIn, LastAnswer } from './delivery.ts'

/** What is to be delivered; it waits for its turn from the beginning. */
export type NewDelivery = Pick<
  Delivery,
  | 'id'
  | 'webhookId'
  | 'merchantId'
  | 'environment'
  | 'kind'
  | 'eventId'
  | 'eventType'
  | 'resourceId'
  | 'sequence'
  | 'createdAt'
>

/** How an attempt ended. `dueAt`: when the next is made; null: none is. */
export type Ended = {
  readonly status: Delivery['status']
  readonly startedAt: UnixMs
  readonly endedAt: UnixMs
  readonly dueAt: UnixMs | null
  readonly answer: LastAnswer
}

/** Who sends, and until when by the wall clock nobody else does. */
export type Lease = { readonly owner: string; readonly until: number }

/** What is on its way and what was. */
export interface DeliveryList {
  /** Adds one that is not there yet: due at once, unless an earlier event of its resource is still on its way. */
  readonly add: (delivery: NewDelivery) => void
  /** Takes what is due, the longest overdue first, and gives it to nobody else until the lease is over. */
  readonly claim: (webhookId: string, now: UnixMs, lease: Lease, most: number) => ReadonlyArray<Delivery>
  /** Writes what came of an attempt; a failure only while the lease is the owner's. Whatever waited for it is due then. */
  readonly end: (delivery: Delivery, owner: string, ended: Ended) => void
  /** Gives back what was not attempted. */
  readonly release: (delivery: Delivery, owner: string, dueAt: UnixMs) => void
  /** Gives back what was leased to those who no longer work; returns whose deliveries they are. */
  readonly expire: (wallNow: number, now: UnixMs) => ReadonlyArray<string>
  readonly withId: (id: string) => Delivery | null
  /** Of an endpoint, newest first: between two ids, both exclusive, those that are nearest to one of them. */
  readonly page: (webhookId: string, bounds: Bounds, most: number) => ReadonlyArray<Delivery>
  /** Forgets what was over before a moment, so many at once. */
  readonly purge: (before: number, most: number) => void
  /** Forgets all of an endpoint, so many at once; whether that was all. */
  readonly forget: (webhookId: string, most: number) => boolean
}

export type Bounds = { readonly above: string; readonly below: string; readonly isNewestFirst: boolean }

const inOrder = `webhook_id = ? AND resource_id = ? AND kind = 'event' AND finished_at IS NULL`
const someOf = (condition: string): string =>
  `DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries WHERE ${condition} LIMIT ?)`

export const deliveryList = (database: SqlDatabase): DeliveryList => {
  const isHeld = database.prepare(`SELECT 1 FROM webhook_deliveries WHERE ${inOrder} LIMIT 1`)
  const add = database.prepare(
    `INSERT OR IGNORE INTO webhook_deliveries
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0, NULL, NULL, ?, NULL, NULL, NULL, NULL)`,
  )
  const due = database.prepare(
    'SELECT * FROM webhook_deliveries WHERE webhook_id = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?',
  )
  const lease = database.prepare(
    'UPDATE webhook_deliveries SET due_at = NULL, leased_until = ?, leased_by = ? WHERE id = ?',
  )
  const end = database.prepare(
    `UPDATE webhook_deliveries SET status = ?, attempts = attempts + 1, last_attempt_at = ?,
       first_attempt_at = coalesce(first_attempt_at, ?), due_at = ?, leased_until = NULL, leased_by = NULL,
       finished_at = ?, answer = ?
     WHERE id = ? AND finished_at IS NULL AND (leased_by = ? OR ? = 'delivered')`,
  )
  const next = database.prepare(
    `UPDATE webhook_deliveries SET due_at = ?
     WHERE id = (SELECT id FROM webhook_deliveries WHERE ${inOrder} ORDER BY sequence LIMIT 1)
       AND due_at IS NULL AND leased_until IS NULL`,
  )
  const release = database.prepare(
    `UPDATE webhook_deliveries SET due_at = ?, leased_until = NULL, leased_by = NULL
     WHERE id = ? AND finished_at IS NULL AND leased_by = ?`,
  )
  const expire = database.prepare(
    `UPDATE webhook_deliveries SET due_at = ?, leased_until = NULL, leased_by = NULL WHERE leased_until <= ?
     RETURNING webhook_id`,
  )
  const withId = database.prepare('SELECT * FROM webhook_deliveries WHERE id = ?')
  const between = 'SELECT * FROM webhook_deliveries WHERE webhook_id = ? AND id > ? AND id < ? ORDER BY id'
  const newest = database.prepare(`${between} DESC LIMIT ?`)
  const oldest = database.prepare(`${between} LIMIT ?`)
  const purge = database.prepare(someOf('finished_at < ?'))
  const forget = database.prepare(someOf('webhook_id = ?'))
  return {
    add: ({ id, webhookId, merchantId, environment, kind, eventId, eventType, resourceId, sequence, createdAt }) => {
      const waits = kind === 'event' && isHeld.get(webhookId, resourceId) !== undefined
      const about = [kind, eventId, eventType, resourceId, sequence]
      add.run(id, webhookId, merchantId, environment, ...about, createdAt, waits ? null : createdAt)
    },
    claim: (webhookId, now, { owner, until }, most) => {
      const claimed = due.all(webhookId, now, most).map(deliveryIn)
      for (const { id } of claimed) lease.run(until, owner, id)
      return claimed
    },
    end: ({ id, webhookId, resourceId, kind }, owner, { status, startedAt, endedAt, dueAt, answer }) => {
      const isOver = status !== 'pending'
      const text = JSON.stringify(LastAnswer.encode(answer))
      const finishedAt = isOver ? endedAt : null
      const { changes } = end.run(status, startedAt, startedAt, dueAt, finishedAt, text, id, owner, status)
      if (changes > 0 && isOver && kind === 'event') next.run(endedAt, webhookId, resourceId)
    },
    release: ({ id }, owner, dueAt) => void release.run(dueAt, id, owner),
    expire: (wallNow, now) => [...new Set(expire.all(now, wallNow).map(({ webhook_id }) => String(webhook_id)))],
    withId: (id) => {
      const row = withId.get(id)
      return row === undefined ? null : deliveryIn(row)
    },
    page: (webhookId, { above, below, isNewestFirst }, most) =>
      isNewestFirst
        ? newest.all(webhookId, above, below, most).map(deliveryIn)
        : oldest.all(webhookId, above, below, most).map(deliveryIn).reverse(),
    purge: (before, most) => void purge.run(before, most),
    forget: (webhookId, most) => forget.run(webhookId, most).changes < most,
  }
}
