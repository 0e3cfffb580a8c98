import { type EventResource, EventType, eventSelectors } from '@quittance/domain'
import type { Family, Reads } from './scopes.ts'

/** The family of each resource that has public events. */
const families: Readonly<Record<EventResource, Family>> = {
  customer: 'customers',
  payment_method: 'customers',
  product: 'products',
  checkout: 'checkouts',
  payment: 'payments',
  refund: 'refunds',
  payout: 'payouts',
  payout_destination: 'payouts',
  price_change: 'products',
  subscription: 'subscriptions',
  access: 'access',
  credits: 'customers',
  approval: 'approvals',
  limits: 'approvals',
  exception: 'exceptions',
  webhook: 'webhooks',
}
const familyByResource: ReadonlyMap<string, Family> = new Map(Object.entries(families))

/** The family that a reader of a public event must be allowed to read. */
export const familyOf = (type: string): Family => {
  const family = familyByResource.get(type.slice(0, type.indexOf('.')))
  if (family === undefined) throw new Error(`${type} is an event of no family`)
  return family
}

const eventTypes: ReadonlyArray<EventType> = [...eventSelectors].filter(EventType.is)

/** The types of public events that somebody may read. */
export const readableTypes = (reads: Reads): ReadonlyArray<EventType> =>
  eventTypes.filter((type) => reads(familyOf(type)))

/** Whether somebody may read all that the body of a public event holds: a payment's shows its customer and refunds. */
export const readsWholly = (reads: Reads, type: string): boolean =>
  reads(familyOf(type)) && (familyOf(type) !== 'payments' || (reads('customers') && reads('refunds')))

type Embedding = {
  readonly billing_details: unknown
  readonly payment_method_details: unknown
  readonly line_items: ReadonlyArray<unknown>
  readonly receipt_url: unknown
}

/** A payment without what belongs to a family that the reader may not read. */
export const visiblePayment = <P extends Embedding>(reads: Reads, payment: P): P => ({
  ...payment,
  ...(reads('customers') ? {} : { billing_details: null, payment_method_details: null }),
  ...(reads('refunds') ? {} : { line_items: [] }),
  // The receipt shows both.
  ...(reads('customers') && reads('refunds') ? {} : { receipt_url: null }),
})
