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
import { inStretch } from './stretches.ts'

type Codec<Id extends string> = Parameters<typeof makeId<Id>>[0]

/** More than a stretch of history has of anything. The n-th of a stretch has the number `stretch * stride + n`. */
export const stride = 1_000_000
/** The numbers of what is made while a log is measured. It comes after all history. */
export const firstFresh = 1_000 * stride
/** So many seconds after the first moment, which is later than the ids of all stretches say. */
const freshAfter = 1_000_000_000
const endpointsBefore = 100_000_000

const isFresh = (number: number): boolean => number >= firstFresh
/** A number within its stretch. */
const own = (number: number): number => (isFresh(number) ? number - firstFresh + freshAfter : number % stride)
const told = (number: number, text: string): string =>
  isFresh(number) ? text : inStretch(Math.floor(number / stride), text)

/** Something happens each second. The moments of all stretches are those of the first, but for their ids. */
export const momentOf = (number: number): UnixMs => unixMs(start + own(number) * secondMs)
/** When the ledger of that second has closed. */
export const closedAfter = (number: number) => ({
  ledger: decoded(LedgerSequence, 1_000 + Math.floor(own(number))),
  closedAt: unixMs(momentOf(number) + 5 * secondMs),
})

const sha256 = (text: string): string => hash('sha256', text, 'hex')

/** What looks random, and is the same for the same text: 64 hex digits, of which history begins with four that are known. */
export const digestOf = (what: string, number: number): string => {
  const digest = sha256(`${what} ${own(number)}`)
  return told(number, isFresh(number) ? digest : `5eed${digest.slice(4)}`)
}

/** The id of a number, as a service makes it: ordered by time, with an end that nobody can guess. */
export const idOf = <Id extends string>(codec: Codec<Id>, number: number): Id => {
  const digest = Buffer.from(sha256(`${codec.prefix}${own(number)}`).slice(0, 20), 'hex')
  return decoded(codec, told(number, makeId(codec, momentOf(number), digest)))
}

/** The hash of the transaction that pays a sale, or takes the charges of a call. */
export const transactionOf = (what: 'sale' | 'call', number: number): TransactionHash =>
  decoded(TransactionHash, digestOf(what, number))

/** All that is sold in a stretch is one product. */
export const productOf = (number: number): ProductId =>
  idOf(ProductId, isFresh(number) ? firstFresh : number - own(number))
/** Customer, checkout and payment of a sale have its number. */
export const customerOf = (number: number): CustomerId => idOf(CustomerId, number)
export const checkoutOf = (number: number): CheckoutId => idOf(CheckoutId, number)
export const paymentOf = (number: number): PaymentId => idOf(PaymentId, number)
export const subscriptionOf = (number: number): SubscriptionId => idOf(SubscriptionId, number)

/** The end of the name of a channel's sequence: one for each call on the ledger. */
export const sequenceOf = (number: number): string =>
  told(number, `-${isFresh(number) ? '0000776' : '0000777'}${String(own(number)).padStart(12, '0')}`)

/** Endpoints are older than all history, and the same in all stretches. */
export const endpointOf = (n: number): WebhookId =>
  makeId(WebhookId, unixMs(start - endpointsBefore * secondMs), Buffer.alloc(10, n))
