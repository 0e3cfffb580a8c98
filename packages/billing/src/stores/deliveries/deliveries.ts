import { Environment, type UnixMs } from '@quittance/domain'
import { changesOf, mapProgram, type SqlDialect, type SqlProgram } from '@quittance/event-store'
import * as t from 'io-ts'
import { type Times, timeArguments, timeOfRow } from '../../kernel/clock.ts'
import { exists, isChanged, query, write } from '../sql/query.ts'
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

/** The deliveries that are on their way and those that are over. A caller runs several of these programs as one. */
export interface DeliveryList {
  /** Adds a new delivery, due at once unless an earlier event of its resource is still on its way. */
  readonly add: (delivery: NewDelivery) => SqlProgram<void>
  /** Leases due deliveries, the longest overdue first. */
  readonly claim: (webhookId: string, now: UnixMs, lease: Lease, most: number) => SqlProgram<ReadonlyArray<Delivery>>
  /** Records the end of an attempt; a failure only under the owner's lease. The next event of its resource falls due. */
  readonly end: (delivery: Delivery, owner: string, ended: EndedAttempt) => SqlProgram<void>
  /** Returns a delivery that was not attempted. */
  readonly release: (delivery: Delivery, owner: string, dueAt: UnixMs) => SqlProgram<void>
  /** The endpoints with leases that are over, in the order of their ids. */
  readonly expired: (wallNow: number) => SqlProgram<ReadonlyArray<string>>
  /** Ends the leases of an endpoint that are over. */
  readonly expire: (webhookId: string, wallNow: number, now: Times) => SqlProgram<void>
  readonly withId: (id: string) => SqlProgram<Delivery | null>
  readonly withIds: (ids: ReadonlyArray<string>) => SqlProgram<ReadonlyArray<Delivery>>
  /** The environment of an endpoint's deliveries; null without any. */
  readonly environmentOf: (webhookId: string) => SqlProgram<Environment | null>
  /** Deliveries of an endpoint between two ids, both exclusive, newest first: those nearest to one of the ids. */
  readonly page: (
    webhookId: string,
    bounds: Bounds,
    most: number,
    types?: ReadonlyArray<string>,
  ) => SqlProgram<ReadonlyArray<Delivery>>
  /** Forgets at most `most` deliveries that have been over for longer than so long. */
  readonly purge: (keptMs: number, now: Times, most: number) => SqlProgram<void>
  /** Forgets at most `most` deliveries of an endpoint; whether none is left. */
  readonly forget: (webhookId: string, most: number) => SqlProgram<boolean>
}

export type Bounds = { readonly above: string; readonly below: string; readonly isNewestFirst: boolean }

const inOrder = `webhook_id = ? AND resource_id = ? AND kind = 'event' AND finished_at IS NULL`
const someOf = (condition: string): string =>
  `DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries WHERE ${condition} LIMIT ?)`

const read = (text: string) => query(Delivery, text)
const isHeld = exists(`SELECT 1 FROM webhook_deliveries WHERE ${inOrder} LIMIT 1`)
const add = write(
  `INSERT INTO webhook_deliveries
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0, NULL, NULL, ?, NULL, NULL, NULL, NULL) ON CONFLICT DO NOTHING`,
)
const lease = write('UPDATE webhook_deliveries SET due_at = NULL, leased_until = ?, leased_by = ? WHERE id = ?')
const end = isChanged(
  `UPDATE webhook_deliveries SET status = ?, attempts = attempts + 1, last_attempt_at = ?,
     first_attempt_at = coalesce(first_attempt_at, ?), due_at = ?, leased_until = NULL, leased_by = NULL,
     finished_at = ?, answer = ?
   WHERE id = ? AND finished_at IS NULL AND (leased_by = ? OR ? = 'delivered')`,
)
const next = write(
  `UPDATE webhook_deliveries SET due_at = ?
   WHERE id = (SELECT id FROM webhook_deliveries WHERE ${inOrder} ORDER BY sequence LIMIT 1)
     AND due_at IS NULL AND leased_until IS NULL`,
)
const release = write(
  `UPDATE webhook_deliveries SET due_at = ?, leased_until = NULL, leased_by = NULL
   WHERE id = ? AND finished_at IS NULL AND leased_by = ?`,
)
const expired = query(
  t.strict({ id: t.string }),
  'SELECT DISTINCT webhook_id AS id FROM webhook_deliveries WHERE leased_until <= ? ORDER BY webhook_id',
)
const expire = write(
  `UPDATE webhook_deliveries SET due_at = ${timeOfRow}, leased_until = NULL, leased_by = NULL
   WHERE webhook_id = ? AND leased_until <= ?`,
)
const withId = read(`${selectDelivery} WHERE id = ?`)
const purge = write(someOf(`finished_at < ? AND finished_at + ? < ${timeOfRow}`))
const ofEndpoint = query(
  t.strict({ environment: Environment }),
  'SELECT environment FROM webhook_deliveries WHERE webhook_id = ? LIMIT 1',
)

export const deliveryList = (dialect: SqlDialect): DeliveryList => {
  const due = read(
    `${selectDelivery} WHERE webhook_id = ? AND due_at <= ? ORDER BY due_at, id LIMIT ? ${dialect.skipLocked}`,
  )
  const withIds = read(`${selectDelivery} WHERE id IN (${dialect.textsOf}) ORDER BY id`)
  const between = `${selectDelivery} WHERE webhook_id = ? AND id > ? AND id < ?`
  const ofTypes = `AND event_type IN (${dialect.textsOf})`
  return {
    add: ({ id, webhookId, merchantId, environment, kind, eventId, eventType, resourceId, sequence, createdAt }) =>
      function* () {
        const waits = kind === 'event' && (yield* isHeld(webhookId, resourceId)())
        const about = [kind, eventId, eventType, resourceId, sequence]
        yield* add(id, webhookId, merchantId, environment, ...about, createdAt, waits ? null : createdAt)()
      },
    claim: (webhookId, now, { owner, until }, most) =>
      function* () {
        const claimed = yield* due.all(webhookId, now, most)()
        for (const { id } of claimed) yield* lease(until, owner, id)()
        return claimed
      },
    end: ({ id, webhookId, resourceId, kind }, owner, { status, startedAt, endedAt, dueAt, answer }) =>
      function* () {
        const isOver = status !== 'pending'
        const text = JSON.stringify(LastAnswer.encode(answer))
        const finishedAt = isOver ? endedAt : null
        const hasEnded = yield* end(status, startedAt, startedAt, dueAt, finishedAt, text, id, owner, status)()
        if (hasEnded && isOver && kind === 'event') yield* next(endedAt, webhookId, resourceId)()
      },
    release: ({ id }, owner, dueAt) => release(dueAt, id, owner),
    expired: (wallNow) => mapProgram(expired.all(wallNow), (found) => found.map(({ id }) => id)),
    expire: (webhookId, wallNow, now) => expire(...timeArguments(now), webhookId, wallNow),
    withId: withId.one,
    withIds: (ids) => withIds.all(JSON.stringify(ids)),
    page: (webhookId, { above, below, isNewestFirst }, most, types) => {
      const among = types === undefined ? [] : [JSON.stringify(types)]
      const order = `ORDER BY id ${isNewestFirst ? 'DESC' : ''} LIMIT ?`
      const page = read(`${between} ${types === undefined ? '' : ofTypes} ${order}`)
      return mapProgram(page.all(webhookId, above, below, ...among, most), (found) =>
        isNewestFirst ? found : found.toReversed(),
      )
    },
    environmentOf: (webhookId) => mapProgram(ofEndpoint.one(webhookId), (found) => found?.environment ?? null),
    purge: (keptMs, now, most) => {
      const times = timeArguments(now)
      return purge(Math.max(...times) - keptMs, keptMs, ...times, most)
    },
    forget: (webhookId, most) =>
      mapProgram(changesOf(someOf('webhook_id = ?'), webhookId, most), (forgotten) => forgotten < most),
  }
}
