import {
  type AccountId,
  type AssetId,
  AuthorizationId,
  CheckoutId,
  type ContractId,
  CurrencyCode,
  CustomerId,
  cents,
  count,
  hourMs,
  LedgerSequence,
  makeId,
  noMetadata,
  type ProductId,
  positiveCount,
  Subscription,
  SubscriptionId,
  stroops,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type MandateTerms, mandateIdOf, tokenContractOf } from '@quittance/ledger'
import type { Enrolment } from './copied-wallets.ts'
import { passphrase } from './metered-network.ts'
import { recorded } from './sales.ts'

export const dayMs = 24 * hourMs
const price = { currency: decoded(CurrencyCode, 'USD'), cents: cents(1_000n) }
const cycle = { interval: 'month' as const, intervalCount: positiveCount(1) }

/** Values shared by all subscriptions of the club. */
export type Club = {
  readonly merchantId: string
  readonly productId: ProductId
  readonly contract: ContractId
  readonly payee: AccountId
  readonly operator: AccountId
  readonly assetId: AssetId
  readonly startedAt: UnixMs
}

const digestOf = (number: number): Uint8Array => {
  const digest = Buffer.alloc(10)
  digest.writeUInt32BE(number, 6)
  return digest
}

export const subscriptionIdOf = ({ startedAt }: Club, number: number): SubscriptionId =>
  makeId(SubscriptionId, startedAt, digestOf(number))

/** A customer without a record. */
export const unknownCustomer = ({ startedAt }: Club, number: number): CustomerId =>
  makeId(CustomerId, startedAt, digestOf(number))

/** The terms that a subscriber's wallet signs. */
export const termsOf = (
  { contract, payee, operator, assetId, startedAt }: Club,
  wallet: AccountId,
  number: number,
  trialDays: number,
): MandateTerms => ({
  ...{ contract, customer: wallet, payee, operator, assetId },
  cap: stroops(110_000_000n),
  intervalUnit: 'month',
  intervalCount: 1,
  firstChargeAt: unixMs(startedAt + trialDays * dayMs),
  endsAt: null,
  firstAmount: stroops(0n),
  allowance: stroops(50_000_000_000n),
  allowanceExpiryLedger: decoded(LedgerSequence, 2_000_000),
  reference: makeId(CheckoutId, startedAt, digestOf(number)),
})

export const enrolmentOf = (terms: MandateTerms): Enrolment => ({
  wallet: terms.customer,
  mandateId: mandateIdOf(terms),
  reference: terms.reference,
})

/** A subscription as its checkout starts it. The end of a one-day trial is announced at once. */
export const beginningOf = (club: Club, terms: MandateTerms, number: number, customerId: CustomerId) => {
  const { merchantId, productId, assetId, startedAt } = club
  const { contract, customer, payee, operator, cap, firstChargeAt, allowance, allowanceExpiryLedger } = terms
  const trialDays = count((firstChargeAt - startedAt) / dayMs)
  const start = {
    type: 'StartSubscription' as const,
    checkoutId: decoded(CheckoutId, terms.reference),
    customerId,
    terms: { productId, priceVersion: positiveCount(1), price, ...cycle },
    assetId,
    mandate: {
      mandateId: mandateIdOf(terms),
      ...{ contract, customer, payee, operator, token: tokenContractOf(assetId, passphrase), cap, ...cycle },
      firstChargeAt,
      approval: {
        ...{ allowance, allowanceExpiryLedger },
        ...{ expiresAt: unixMs(startedAt + 170 * dayMs), approvedAt: startedAt },
      },
    },
    trialDays,
    firstPaymentId: null,
    metadata: noMetadata,
    startedAt,
  }
  const authorizationId = makeId(AuthorizationId, startedAt, digestOf(number))
  const announced = { type: 'AnnounceTrialEnd' as const, problem: null, authorizationId, at: startedAt }
  const events = recorded(Subscription, trialDays === 1 ? [start, announced] : [start], number, 1)
  return {
    stream: `${Subscription.category}-${subscriptionIdOf(club, number)}`,
    events: events.map((event) => ({ ...event, context: { ...event.context, merchantId } })),
  }
}
