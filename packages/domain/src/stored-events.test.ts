import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { OutflowApproval } from './approval/index.ts'
import { Channel } from './channel/index.ts'
import { Checkout } from './checkout/index.ts'
import { Credits } from './credits/index.ts'
import { Customer } from './customer/index.ts'
import { CustomerMerges } from './customer-merges/index.ts'
import { Exception } from './exception/index.ts'
import { Freezes } from './freeze/index.ts'
import { Funding } from './funding/index.ts'
import { Intent } from './intent/index.ts'
import { LedgerIngestion } from './ledger-ingestion/index.ts'
import { LedgerTransaction } from './ledger-transaction/index.ts'
import { Limits } from './limits/index.ts'
import { LogHistory } from './log-history/index.ts'
import { LogTransparency } from './log-transparency/index.ts'
import { Merchant } from './merchant/index.ts'
import { Migrations } from './migration/index.ts'
import { Payment } from './payment/index.ts'
import { Payout } from './payout/index.ts'
import { PayoutBook } from './payout-book/index.ts'
import { PayoutDestination } from './payout-destination/index.ts'
import { PriceChange } from './price-change/index.ts'
import { Product } from './product/index.ts'
import { Refund } from './refund/index.ts'
import { Reservation } from './reservation/index.ts'
import { Holds } from './screening/index.ts'
import type { EncodedEvent, EventFormat } from './shared/event-format.ts'
import type { Json } from './shared/json.ts'
import { Subscription } from './subscription/index.ts'
import { Team } from './team/index.ts'
import { anyCreditsEvent } from './testing/any-credits.ts'
import { anyCustomerMergesEvent } from './testing/any-customer-merges.ts'
import * as some from './testing/any-event.ts'
import { anyFreezeEvent } from './testing/any-freeze.ts'
import { anyFundingEvent } from './testing/any-funding.ts'
import { anyApprovalEvent, anyLimitsEvent } from './testing/any-limits.ts'
import { anyLogHistoryEvent } from './testing/any-log-history.ts'
import { anyLogTransparencyEvent } from './testing/any-log-transparency.ts'
import { anyMigrationEvent } from './testing/any-migration.ts'
import { anyChannelEvent, anyIntentEvent, anyLedgerTransactionEvent } from './testing/any-outgoing.ts'
import { anyPayoutBookEvent, anyPayoutDestinationEvent, anyPayoutEvent } from './testing/any-payout.ts'
import { anyPriceChangeEvent } from './testing/any-price-change.ts'
import { anyRefundEvent } from './testing/any-refund.ts'
import * as sale from './testing/any-sale-event.ts'
import { anyScreeningEvent } from './testing/any-screening.ts'
import { anySubscriptionEvent } from './testing/any-subscription.ts'
import { anyTeamEvent } from './testing/any-team.ts'
import { anyWebhookEvent } from './testing/any-webhook.ts'
import { Webhook } from './webhook/index.ts'

const numbersIn = (json: Json): ReadonlyArray<number> => {
  if (typeof json === 'number') return [json]
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(numbersIn) : []
}

/** Encodes an event, passes it through JSON text as a store does, and decodes it. */
const survives =
  <Event>({ encodeEvent, decodeEvent }: EventFormat<Event>) =>
  (event: Event): void => {
    const encoded = encodeEvent(event)
    const stored: EncodedEvent = JSON.parse(JSON.stringify(encoded))
    expect(stored).toStrictEqual(encoded)
    expect(decodeEvent(stored)).toStrictEqual(E.right(event))
    expect(numbersIn(encoded.data).every(Number.isSafeInteger)).toBe(true)
  }

describe('every event survives being stored: amounts as digits, no fraction among the numbers', () => {
  it('of a merchant', () => fc.assert(fc.property(some.anyMerchantEvent, survives(Merchant.events))))
  it('of a product', () => fc.assert(fc.property(some.anyProductEvent, survives(Product.events))))
  it('of a customer', () => fc.assert(fc.property(some.anyCustomerEvent, survives(Customer.events))))
  it('of a reservation', () => fc.assert(fc.property(some.anyReservationEvent, survives(Reservation.events))))
  it('of a checkout', () => fc.assert(fc.property(sale.anyCheckoutEvent, survives(Checkout.events))))
  it('of a payment', () => fc.assert(fc.property(sale.anyPaymentEvent, survives(Payment.events))))
  it('of the ingestion of a ledger', () =>
    fc.assert(fc.property(sale.anyLedgerIngestionEvent, survives(LedgerIngestion.events))))
  it('of the history of a log', () => fc.assert(fc.property(anyLogHistoryEvent, survives(LogHistory.events))))
  it('of a transparency log', () => fc.assert(fc.property(anyLogTransparencyEvent, survives(LogTransparency.events))))
  it('of a freeze', () => fc.assert(fc.property(anyFreezeEvent, survives(Freezes.events))))
  it('of a migration', () => fc.assert(fc.property(anyMigrationEvent, survives(Migrations.events))))
  it('of merges of customers', () => fc.assert(fc.property(anyCustomerMergesEvent, survives(CustomerMerges.events))))
  it('of limits', () => fc.assert(fc.property(anyLimitsEvent, survives(Limits.events))))
  it('of an approval', () => fc.assert(fc.property(anyApprovalEvent, survives(OutflowApproval.events))))
  it('of screening', () => fc.assert(fc.property(anyScreeningEvent, survives(Holds.events))))
  it('of an exception', () => fc.assert(fc.property(sale.anyExceptionEvent, survives(Exception.events))))
  it('of funding', () => fc.assert(fc.property(anyFundingEvent, survives(Funding.events))))
  it('of a refund', () => fc.assert(fc.property(anyRefundEvent, survives(Refund.events))))
  it('of a payout', () => fc.assert(fc.property(anyPayoutEvent, survives(Payout.events))))
  it('of the payouts of an asset', () => fc.assert(fc.property(anyPayoutBookEvent, survives(PayoutBook.events))))
  it('of a payout destination', () =>
    fc.assert(fc.property(anyPayoutDestinationEvent, survives(PayoutDestination.events))))
  it('of a price change', () => fc.assert(fc.property(anyPriceChangeEvent, survives(PriceChange.events))))
  it('of a subscription', () => fc.assert(fc.property(anySubscriptionEvent, survives(Subscription.events))))
  it('of a team', () => fc.assert(fc.property(anyTeamEvent, survives(Team.events))))
  it('of credits', () => fc.assert(fc.property(anyCreditsEvent, survives(Credits.events))))
  it('of a webhook endpoint', () => fc.assert(fc.property(anyWebhookEvent, survives(Webhook.events))))
  it('of an intent', () => fc.assert(fc.property(anyIntentEvent, survives(Intent.events))))
  it('of a sequence number', () => fc.assert(fc.property(anyChannelEvent, survives(Channel.events))))
  it('of a ledger transaction', () =>
    fc.assert(fc.property(anyLedgerTransactionEvent, survives(LedgerTransaction.events))))
})

describe('released events', () => {
  type Fixture = EncodedEvent & { readonly category: string }
  const file = new URL('./testing/released-events.json', import.meta.url)
  const fixtures: ReadonlyArray<Fixture> = JSON.parse(readFileSync(file, 'utf8'))
  const aggregates = [
    LedgerIngestion,
    LogHistory,
    LogTransparency,
    Freezes,
    Migrations,
    Holds,
    Merchant,
    Product,
    Customer,
    CustomerMerges,
    Reservation,
    Checkout,
    Payment,
    Refund,
    Payout,
    PayoutBook,
    PayoutDestination,
    Limits,
    OutflowApproval,
    PriceChange,
    Exception,
    Funding,
    Subscription,
    Team,
    Credits,
    Webhook,
    Intent,
    Channel,
    LedgerTransaction,
  ]

  /** Decodes a stored event and encodes it again. */
  const rewritten = ({ category, ...stored }: Fixture): unknown => {
    const back = <Event>({ decodeEvent, encodeEvent }: EventFormat<Event>) => E.map(encodeEvent)(decodeEvent(stored))
    switch (category) {
      case 'merchant':
        return back(Merchant.events)
      case 'product':
        return back(Product.events)
      case 'customer':
        return back(Customer.events)
      case 'customer_merges':
        return back(CustomerMerges.events)
      case 'reservation':
        return back(Reservation.events)
      case 'checkout':
        return back(Checkout.events)
      case 'payment':
        return back(Payment.events)
      case 'refund':
        return back(Refund.events)
      case 'payout':
        return back(Payout.events)
      case 'payout_book':
        return back(PayoutBook.events)
      case 'payout_destination':
        return back(PayoutDestination.events)
      case 'price_change':
        return back(PriceChange.events)
      case 'following':
        return back(LedgerIngestion.events)
      case 'log':
        return back(LogHistory.events)
      case 'log_transparency':
        return back(LogTransparency.events)
      case 'freeze':
        return back(Freezes.events)
      case 'migration':
        return back(Migrations.events)
      case 'limits':
        return back(Limits.events)
      case 'approval':
        return back(OutflowApproval.events)
      case 'screening':
        return back(Holds.events)
      case 'exception':
        return back(Exception.events)
      case 'funding':
        return back(Funding.events)
      case 'subscription':
        return back(Subscription.events)
      case 'team':
        return back(Team.events)
      case 'credits':
        return back(Credits.events)
      case 'webhook':
        return back(Webhook.events)
      case 'intent':
        return back(Intent.events)
      case 'channel':
        return back(Channel.events)
      case 'stellartx':
        return back(LedgerTransaction.events)
      default:
        throw new RangeError(`${category} is no category of ours`)
    }
  }

  it('keeps one released fixture of each event type', () => {
    const kept = new Set(fixtures.map(({ category, type }) => `${category} ${type}`))
    const known = aggregates.flatMap(({ category, events }) => events.types.map((type) => `${category} ${type}`))
    expect([...kept].sort()).toEqual([...known].sort())
  })
  it.each(fixtures)('reads and writes events as they were released: $category $type $schemaVersion', (fixture) => {
    const { category: _, ...stored } = fixture
    expect(rewritten(fixture)).toStrictEqual(E.right(stored))
  })
})
