import { Environment, type UnixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import * as t from 'io-ts'
import { type Times, timeArguments, timeOfRow } from '../../kernel/clock.ts'
import { query } from '../sql/query.ts'
import { Delivery, LastAnswer, selectDelivery } from './delivery.ts'

/** A delivery before its first attempt. */
export type NewDelivery = Omit<
  Delivery,
  'status' | 'attempts' | 'firstAttemptAt' | 'lastAttemptAt' | 'dueAt' | 'answer'
>

/** How an attempt ended. `dueAt`: the time of the next one; null if there is none. */
export type EndedAttempt = {
  readonly status: Delivery['status']
  readonly startedAt: UnixMs
  readonly endedAt: UnixMs
  readonly dueAt: UnixMs | null
  readonly answer: LastAnswer
}

/** Until this time of the wall clock, only the owner sends. */
export type Lease = { readonly owner: string; readonly until: number }

/** The deliveries that are on their way and those that are over. */
export interface DeliveryList {
  /** Adds a new delivery, due at once unless an earlier event of its resource is still on its way. */
  readonly add: (delivery: NewDelivery) => void
  /** Leases due deliveries, the longest overdue first. */
  readonly claim: (webhookId: string, now: UnixMs, lease: Lease, most: number) => ReadonlyArray<Delivery>
  /** Records the end of an attempt; a failure only under the owner's lease. The next event of its resource falls due. */
  readonly end: (delivery: Delivery, owner: string, ended: EndedAttempt) => void
  /** Returns a delivery that was not attempted. */
  readonly release: (delivery: Delivery, owner: string, dueAt: UnixMs) => void
  /** Ends the leases that are over; returns the endpoints of their deliveries. */
  readonly expire: (wallNow: number, now: Times) => ReadonlyArray<string>
  readonly withId: (id: string) => Delivery | null
  /** The environment of an endpoint's deliveries; null without any. */
  readonly environmentOf: (webhookId: string) => Environment | null
  /** Deliveries of an endpoint between two ids, both exclusive, newest first: those nearest to one of the ids. */
  readonly page: (
    webhookId: string,
    bounds: Bounds,
    most: number,
    types?: ReadonlyArray<string>,
  ) => ReadonlyArray<Delivery>
  /** Forgets at most `most` deliveries that have been over for longer than so long. */
  readonly purge: (keptMs: number, now: Times, most: number) => void
  /** Forgets at most `most` deliveries of an endpoint; whether none is left. */
  readonly forget: (webhookId: string, most: number) => boolean
}

export type Bounds = { readonly above: string; readonly below: string; readonly isNewestFirst: boolean }

const inOrder = `webhook_id = ? AND resource_id = ? AND kind = 'event' AND finished_at IS NULL`
const someOf = (condition: string): string =>
  `DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries WHERE ${condition} LIMIT ?)`

export const deliveryList = (database: SqlDatabase): DeliveryList => {
  const read = (sql: string) => query(database, Delivery, sql)
  const isHeld = database.prepare(`SELECT 1 FROM webhook_deliveries WHERE ${inOrder} LIMIT 1`)
  const add = database.prepare(
    `INSERT OR IGNORE INTO webhook_deliveries
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0, NULL, NULL, ?, NULL, NULL, NULL, NULL)`,
  )
  const due = read(`${selectDelivery} WHERE webhook_id = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?`)
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
    `UPDATE webhook_deliveries SET due_at = ${timeOfRow}, leased_until = NULL, leased_by = NULL
     WHERE leased_until <= ?
     RETURNING webhook_id`,
  )
  const withId = read(`${selectDelivery} WHERE id = ?`)
  const between = `${selectDelivery} WHERE webhook_id = ? AND id > ? AND id < ?
    AND (? IS NULL OR event_type IN (SELECT value FROM json_each(?))) ORDER BY id`
  const newest = read(`${between} DESC LIMIT ?`)
  const oldest = read(`${between} LIMIT ?`)
  const purge = database.prepare(someOf(`finished_at < ? AND finished_at + ? < ${timeOfRow}`))
  const forget = database.prepare(someOf('webhook_id = ?'))
  const ofEndpoint = query(
    database,
    t.strict({ environment: Environment }),
    'SELECT environment FROM webhook_deliveries WHERE webhook_id = ? LIMIT 1',
  )
  return {
    add: ({ id, webhookId, merchantId, environment, kind, eventId, eventType, resourceId, sequence, createdAt }) => {
      const waits = kind === 'event' && isHeld.get(webhookId, resourceId) !== undefined
      const about = [kind, eventId, eventType, resourceId, sequence]
      add.run(id, webhookId, merchantId, environment, ...about, createdAt, waits ? null : createdAt)
    },
    claim: (webhookId, now, { owner, until }, most) => {
      const claimed = due.all(webhookId, now, most)
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
    expire: (wallNow, now) => [
      ...new Set(expire.all(...timeArguments(now), wallNow).map(({ webhook_id }) => String(webhook_id))),
    ],
    withId: (id) => withId.one(id),
    page: (webhookId, { above, below, isNewestFirst }, most, types) => {
      const among = types === undefined ? null : JSON.stringify(types)
      const asked = [webhookId, above, below, among, among, most]
      return isNewestFirst ? newest.all(...asked) : oldest.all(...asked).toReversed()
    },
    environmentOf: (webhookId) => ofEndpoint.one(webhookId)?.environment ?? null,
    purge: (keptMs, now, most) => {
      const times = timeArguments(now)
      purge.run(Math.max(...times) - keptMs, keptMs, ...times, most)
    },
    forget: (webhookId, most) => forget.run(webhookId, most).changes < most,
  }
}
