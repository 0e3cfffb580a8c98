import {
  CheckoutId,
  ExceptionId,
  InvoiceId,
  PaymentId,
  PayoutId,
  PriceChangeId,
  RefundId,
  ReturnId,
  SubscriptionId,
} from '@quittance/domain'
import { stream } from './tellers/streams.ts'

/** What has a history. `credits` are named by `cus_…/prod_…`, a merchant by its id. */
export type HistoryKind =
  | 'approval'
  | 'checkout'
  | 'credits'
  | 'customer'
  | 'exception'
  | 'funding'
  | 'invoice'
  | 'merchant'
  | 'payment'
  | 'payout'
  | 'payout_destination'
  | 'price_change'
  | 'product'
  | 'refund'
  | 'subscription'
  | 'webhook'

/** `whole`: all entries of the stream belong to the story; `about`: those that name its resource. */
export type Join = { readonly stream: string; readonly mode: 'whole' | 'about' }

type Named = 'checkout' | 'exception' | 'invoice' | 'payment' | 'price_change' | 'refund' | 'subscription'

const whole = 'whole' as const
const about = 'about' as const

/** What the story of each kind of resource takes in, of the resources that its entries name. */
const taken: Readonly<Record<HistoryKind, { readonly [Name in Named]?: Join['mode'] }>> = {
  subscription: {
    checkout: whole,
    payment: whole,
    refund: whole,
    invoice: whole,
    exception: whole,
    price_change: whole,
  },
  customer: { checkout: whole, payment: whole, refund: whole, invoice: whole, exception: whole, subscription: whole },
  payment: { checkout: whole, refund: whole, invoice: whole, exception: whole, subscription: about },
  checkout: { payment: whole, refund: whole, exception: whole, subscription: about },
  invoice: { payment: whole, refund: whole, exception: whole, subscription: about },
  refund: { payment: about },
  exception: { payment: about, checkout: about },
  approval: {},
  credits: {},
  funding: {},
  merchant: {},
  payout: {},
  payout_destination: {},
  price_change: {},
  product: { price_change: whole },
  webhook: {},
}

const kinds: ReadonlyArray<readonly [Named, { readonly is: (input: unknown) => boolean }, (id: string) => string]> = [
  ['checkout', CheckoutId, stream.checkout],
  ['exception', ExceptionId, stream.exception],
  ['invoice', InvoiceId, stream.invoice],
  ['payment', PaymentId, stream.payment],
  ['price_change', PriceChangeId, stream.priceChange],
  ['refund', RefundId, stream.refund],
  ['subscription', SubscriptionId, stream.subscription],
]

/**
 * How the story of a resource takes in another one that an entry names. What an exception names is not taken in: its money
 * may have come for the session of another customer.
 */
export const joinOf = (kind: HistoryKind, namedBy: string, id: string): Join | null => {
  const [name, , streamOf] = kinds.find(([, codec]) => codec.is(id)) ?? []
  if (name === undefined || streamOf === undefined) return null
  if (namedBy.startsWith('exception-') && kind !== 'exception') return null
  const mode = taken[kind][name]
  return mode === undefined ? null : { stream: streamOf(id), mode }
}

/** Whether money that moves for this id has an intent. */
export const hasIntent = (id: string): boolean =>
  [PaymentId, PayoutId, RefundId, ReturnId].some((codec) => codec.is(id))

/** Whether a second person may have to approve it. */
export const mayNeedApproval = (id: string): id is RefundId | PayoutId => RefundId.is(id) || PayoutId.is(id)

const kindOfPrefix: Readonly<Record<string, HistoryKind>> = {
  apr_: 'approval',
  chk_: 'checkout',
  cus_: 'customer',
  exc_: 'exception',
  fnd_: 'funding',
  inv_: 'invoice',
  mer_: 'merchant',
  pay_: 'payment',
  po_: 'payout',
  pdst_: 'payout_destination',
  prc_: 'price_change',
  prod_: 'product',
  rf_: 'refund',
  sub_: 'subscription',
  wh_: 'webhook',
}

/** The kind of resource that an id names: by its prefix; null where no history has it. */
export const kindOfId = (id: string): HistoryKind | null => {
  if (/^cus_[^/]+\/prod_[^/]+$/.test(id)) return 'credits'
  return kindOfPrefix[id.slice(0, id.indexOf('_') + 1)] ?? null
}

/** The stream that a resource has of its own. Of credits, each period of the books has one. */
export const ownStream = (kind: Exclude<HistoryKind, 'credits'>, id: string): string => `${kind}-${id}`
