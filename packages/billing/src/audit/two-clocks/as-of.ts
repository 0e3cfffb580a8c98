import type { UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Approvals, approvals } from '../../features/approvals/approvals.ts'
import { type Checkouts, checkouts } from '../../features/checkouts/checkouts.ts'
import { type CustomerCredits, customerCredits } from '../../features/credits/credits.ts'
import { type Customers, customers } from '../../features/customers/customers.ts'
import { type Exceptions, exceptions } from '../../features/exceptions/exceptions.ts'
import { type Fundings, fundings } from '../../features/funding/fundings.ts'
import { type OutflowLimits, outflowLimits } from '../../features/limits/limits.ts'
import { type MerchantProfiles, merchantProfiles } from '../../features/merchants/profiles.ts'
import { type Payments, payments } from '../../features/payments/payments.ts'
import { type Payouts, payouts } from '../../features/payouts/payouts.ts'
import { type PriceChanges, priceChanges } from '../../features/price-changes/price-changes.ts'
import { type Products, products } from '../../features/products/products.ts'
import { type Refunds, refunds } from '../../features/refunds/refunds.ts'
import { type Subscriptions, subscriptions } from '../../features/subscriptions/subscriptions.ts'
import { deploymentTime } from '../../kernel/clock.ts'
import { type Webhooks, webhooks } from '../../notify/webhooks/webhooks.ts'
import type { Services } from '../../services/services.ts'
import { type AccessAt, accessAt } from './access-at.ts'
import type { Moment } from './moment.ts'
import { servicesAt } from './services-at.ts'

type Reads<Face, More extends keyof Face = never> = Pick<Face, Extract<'retrieve' | 'list', keyof Face> | More>

/** What can be asked of the past: the same questions as today's, with the same answers. */
export interface Readable {
  readonly products: Reads<Products>
  readonly customers: Reads<Customers, 'find'>
  readonly checkouts: Reads<Checkouts>
  readonly payments: Reads<Payments>
  readonly refunds: Reads<Refunds>
  readonly subscriptions: Reads<Subscriptions, 'find'>
  readonly credits: Reads<CustomerCredits, 'transaction' | 'transactions'>
  readonly exceptions: Reads<Exceptions>
  readonly payouts: Reads<Payouts> & {
    readonly destinations: Reads<Payouts['destinations']>
    readonly schedules: Reads<Payouts['schedules']>
  }
  readonly approvals: Reads<Approvals>
  readonly limits: Reads<OutflowLimits>
  readonly priceChanges: Reads<PriceChanges, 'subscriptions' | 'subscription'>
  readonly fundings: Reads<Fundings>
  readonly webhooks: Reads<Webhooks>
  readonly merchantProfiles: Pick<MerchantProfiles, 'show'>
  readonly access: AccessAt
}

/** Nobody knows what will have been recorded: `now` is the time of the service that records. */
export type KnownAhead = { readonly _tag: 'KnownAhead'; readonly knownAt: UnixMs; readonly now: UnixMs }

/** Answers for another moment than now. */
export type AsOf = (moment: Moment) => E.Either<KnownAhead, Readable>

export const asOf =
  (services: Services): AsOf =>
  (moment) => {
    const now = deploymentTime(services.clock)
    const { knownAt } = moment
    return knownAt !== null && knownAt > now
      ? E.left({ _tag: 'KnownAhead', knownAt, now })
      : E.right(readable(services, moment))
  }

const readable = (services: Services, moment: Moment): Readable => {
  const then = servicesAt(services, moment)
  const people = customers(then, async () => E.right(undefined))
  return {
    products: products(then),
    customers: people,
    checkouts: checkouts(then, people),
    payments: payments(then),
    refunds: refunds(then),
    subscriptions: subscriptions(then),
    credits: customerCredits(then),
    exceptions: exceptions(then),
    payouts: payouts(then),
    approvals: approvals(then),
    limits: outflowLimits(then),
    priceChanges: priceChanges(then),
    fundings: fundings(then),
    webhooks: webhooks(then),
    merchantProfiles: merchantProfiles(then),
    access: accessAt(services, moment),
  }
}
