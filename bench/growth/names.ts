import { hash } from 'node:crypto'
import {
  CheckoutId,
  CustomerId,
  LedgerSequence,
  makeId,
  PaymentId,
  ProductId,
  SubscriptionId,
  secondMs,
  TransactionHash,
  type UnixMs,
  unixMs,
  WebhookId,
} from '@quittance/domain'
import { decoded, start } from '@quittance/domain/testing'

type Codec<Id extends string> = Parameters<typeof makeId<Id>>[0]

/** A history has a sale each second. */
export const momentOf = (n: number): UnixMs => unixMs(start + n * secondMs)
/** When the ledger of that second has closed. */
export const closedAfter = (n: number) => ({
  ledger: decoded(LedgerSequence, 1_000 + n),
  closedAt: unixMs(momentOf(n) + 5 * secondMs),
})

/** What looks random, and is the same for the same text: 64 hex digits. */
export const digestOf = (text: string): string => hash('sha256', text, 'hex')

/** The n-th id of its kind, as a service makes it: ordered by time, with an end that nobody can guess. */
export const idOf = <Id extends string>(codec: Codec<Id>, n: number): Id =>
  makeId(codec, momentOf(n), Buffer.from(digestOf(`${codec.prefix}${n}`).slice(0, 20), 'hex'))

/** The hash of the transaction that pays the n-th sale, or takes the charges of the n-th call. */
export const transactionOf = (what: 'sale' | 'call', n: number): TransactionHash =>
  decoded(TransactionHash, digestOf(`${what} ${n}`))

/** All buy one product. */
export const product: ProductId = idOf(ProductId, 0)
/** The n-th customer, checkout and payment belong to the n-th sale. */
export const customerOf = (n: number): CustomerId => idOf(CustomerId, n)
export const checkoutOf = (n: number): CheckoutId => idOf(CheckoutId, n)
export const paymentOf = (n: number): PaymentId => idOf(PaymentId, n)
export const subscriptionOf = (n: number): SubscriptionId => idOf(SubscriptionId, n)
export const endpointOf = (n: number): WebhookId => idOf(WebhookId, n)
