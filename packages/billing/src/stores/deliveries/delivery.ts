import { DeliveryId, Environment, EventId, UnixMs } from '@quittance/domain'
import * as t from 'io-ts'
import { json, orNull } from '../sql/query.ts'

/**
 * Why an event is delivered: it happened, a merchant asked for it again, or it tests the endpoint. Only the first kind is
 * delivered in the order of its resource.
 */
export const DeliveryKind = t.keyof({ event: null, again: null, test: null })
export type DeliveryKind = t.TypeOf<typeof DeliveryKind>

/** The result of the last attempt. `body`: at most 1 KiB of the response; `status`: null without a response. */
export const LastAnswer = t.strict({
  status: orNull(t.number),
  body: orNull(t.string),
  /** Why there was no response. */
  failure: orNull(t.string),
  durationMs: t.number,
})
export type LastAnswer = t.TypeOf<typeof LastAnswer>

export const Delivery = t.strict({
  id: DeliveryId,
  webhookId: t.string,
  merchantId: t.string,
  environment: Environment,
  kind: DeliveryKind,
  eventId: EventId,
  eventType: t.string,
  resourceId: t.string,
  sequence: t.number,
  createdAt: UnixMs,
  status: t.keyof({ pending: null, delivered: null, exhausted: null }),
  attempts: t.number,
  firstAttemptAt: orNull(UnixMs),
  lastAttemptAt: orNull(UnixMs),
  /** Null while it is being sent, waits for an earlier one, or is over. */
  dueAt: orNull(UnixMs),
  answer: orNull(json(LastAnswer)),
})
/** One event on its way to one endpoint. */
export type Delivery = t.TypeOf<typeof Delivery>

export const selectDelivery = `SELECT id, webhook_id AS "webhookId", merchant_id AS "merchantId", environment, kind,
  event_id AS "eventId", event_type AS "eventType", resource_id AS "resourceId", sequence, created_at AS "createdAt", status,
  attempts, first_attempt_at AS "firstAttemptAt", last_attempt_at AS "lastAttemptAt", due_at AS "dueAt", answer
  FROM webhook_deliveries`
