import { DeliveryId, Environment, EventId, UnixMs } from '@quittance/domain'
import type { SqlRow } from '@quittance/event-store'
import * as t from 'io-ts'
import { decodeOrThrow } from '../../kernel/decode.ts'

/**
 * Why something is delivered: that it happened, that somebody asked for it again, or to try an endpoint out. Only the
 * first kind is delivered in the order of its resource.
 */
export const DeliveryKind = t.keyof({ event: null, again: null, test: null })
export type DeliveryKind = t.TypeOf<typeof DeliveryKind>

/** What the last attempt came to. `body`: at most 1 KiB of the answer; `status`: null where there was none. */
export const LastAnswer = t.strict({
  status: t.union([t.number, t.null]),
  body: t.union([t.string, t.null]),
  /** Why there was no answer. */
  failure: t.union([t.string, t.null]),
  durationMs: t.number,
})
export type LastAnswer = t.TypeOf<typeof LastAnswer>

const optional = <A, O>(codec: t.Type<A, O>) => t.union([codec, t.null])

const Row = t.strict({
  id: DeliveryId,
  webhook_id: t.string,
  merchant_id: t.string,
  environment: Environment,
  kind: DeliveryKind,
  event_id: EventId,
  event_type: t.string,
  resource_id: t.string,
  sequence: t.number,
  created_at: UnixMs,
  status: t.keyof({ pending: null, delivered: null, exhausted: null }),
  attempts: t.number,
  first_attempt_at: optional(UnixMs),
  last_attempt_at: optional(UnixMs),
  due_at: optional(UnixMs),
  answer: optional(t.string),
})
type Row = t.TypeOf<typeof Row>

/** One event on its way to one endpoint. `dueAt`: null while it is being sent, waits for an earlier one, or is over. */
export type Delivery = {
  readonly id: DeliveryId
  readonly webhookId: string
  readonly merchantId: string
  readonly environment: Environment
  readonly kind: DeliveryKind
  readonly eventId: EventId
  readonly eventType: string
  readonly resourceId: string
  readonly sequence: number
  readonly createdAt: UnixMs
  readonly status: Row['status']
  readonly attempts: number
  readonly firstAttemptAt: UnixMs | null
  readonly lastAttemptAt: UnixMs | null
  readonly dueAt: UnixMs | null
  readonly answer: LastAnswer | null
}

export const deliveryIn = (row: SqlRow): Delivery => {
  const known = decodeOrThrow(Row, row)
  return {
    id: known.id,
    webhookId: known.webhook_id,
    merchantId: known.merchant_id,
    environment: known.environment,
    kind: known.kind,
    eventId: known.event_id,
    eventType: known.event_type,
    resourceId: known.resource_id,
    sequence: known.sequence,
    createdAt: known.created_at,
    status: known.status,
    attempts: known.attempts,
    firstAttemptAt: known.first_attempt_at,
    lastAttemptAt: known.last_attempt_at,
    dueAt: known.due_at,
    answer: known.answer === null ? null : decodeOrThrow(LastAnswer, JSON.parse(known.answer)),
  }
}
