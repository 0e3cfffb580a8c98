import fc from 'fast-check'
import type { PaymentCommand } from '../payment/index.ts'
import type { RefundCommand, RefundEvent } from '../refund/index.ts'
import * as id from '../shared/ids.ts'
import { noMetadata } from '../shared/metadata.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { unixMs } from '../shared/units.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'
import { exampleCredit, exampleId, hashOf, payerAccount, start } from './examples.ts'

// A few of each, so that commands meet.
const one = fc.constantFrom
const aRefund = one(exampleId(id.RefundId, 1), exampleId(id.RefundId, 2))
const aTime = one(start, unixMs(start + 1), unixMs(start + 2))
const aReason = one('insufficient_funds' as const, 'destination_full' as const)

const command = <const Type extends string, Fields>(type: Type, fields: fc.Arbitrary<Fields>) =>
  fields.map((each) => ({ type, ...each }))

const aSale: ReadonlyArray<PaymentCommand> = [
  {
    type: 'OpenPayment',
    checkoutId: exampleId(id.CheckoutId, 1),
    customerId: exampleId(id.CustomerId, 1),
    productId: exampleId(id.ProductId, 1),
    subscriptionId: null,
    assetId: exampleCredit.assetId,
    currencyCode: null,
    amountCents: null,
    metadata: noMetadata,
    cause: 'credit',
  },
  { type: 'RecordCredit', credit: exampleCredit },
  {
    type: 'ConfirmPayment',
    excess: stroops(0n),
    overpaid: stroops(0n),
    late: false,
    transactionHash: exampleCredit.transactionHash,
    walletId: null,
    billingDetails: null,
  },
]

/** What a payment is told of its refunds. */
export const anyClaimCommand: fc.Arbitrary<PaymentCommand> = fc.oneof(
  command(
    'ClaimRefund',
    some.record({
      refundId: aRefund,
      destination: fc.constant(payerAccount),
      reason: fc.constant(null),
      metadata: fc.constant(noMetadata),
      claimedAt: fc.constant(start),
    }),
  ),
  command('ReleaseRefund', some.record({ refundId: aRefund })),
  command('RecordRefunded', some.record({ refundId: aRefund, at: fc.constant(start) })),
)

/** A payment that is confirmed, and what it is told of its refunds then. */
export const anyRefundedSale = fc.array(anyClaimCommand, { maxLength: 6 }).map((claims) => [...aSale, ...claims])

export const anyRefundCommand: fc.Arbitrary<RefundCommand> = fc.oneof(
  command(
    'RequestRefund',
    some
      .record({
        paymentId: one(exampleId(id.PaymentId, 1), exampleId(id.PaymentId, 2)),
        customerId: fc.constant(null),
        amount: fc.constant(exampleCredit.amount),
        assetId: fc.constant(exampleCredit.assetId),
        destination: fc.constant(payerAccount),
        reason: fc.constant(null),
        metadata: fc.constant(noMetadata),
      })
      .chain((details) => one(details, { ...details, sendsAt: unixMs(start + 1) })),
  ),
  command('PostponeRefund', some.record({ sendsAt: aTime })),
  command('EndRefundWait', some.record({ at: aTime })),
  command('CancelRefund', some.record({ at: aTime })),
  command(
    'SettleRefund',
    some.record({
      transactionHash: one(hashOf(1), hashOf(2)),
      ledger: fc.constant(exampleCredit.ledger),
      closedAt: one(start, unixMs(start + 1)),
    }),
  ),
  command(
    'FailRefund',
    some.record({ reason: aReason, code: some.orNothing(one(asText('paymentLineFull'))), at: fc.constant(start) }),
  ),
)

const refundEvents: ByType<RefundEvent> = {
  RefundRequested: event(
    'RefundRequested',
    some.recordWith(
      {
        paymentId: some.anyId(id.PaymentId),
        customerId: some.orNothing(some.anyId(id.CustomerId)),
        amount: some.anyStroops,
        assetId: some.anyAsset,
        destination: some.anyAccount,
        reason: some.orNothing(some.anyText),
        metadata: some.anyMetadata,
      },
      { destinationMuxedId: some.anyMuxedId, sendsAt: some.anyTime },
    ),
  ),
  RefundPostponed: event('RefundPostponed', some.record({ sendsAt: some.anyTime })),
  RefundWaitEnded: event('RefundWaitEnded', some.record({})),
  RefundSucceeded: event(
    'RefundSucceeded',
    some.record({
      transactionHash: some.anyTransactionHash,
      ledger: some.anyLedger,
      closedAt: some.anyTime,
    }),
  ),
  RefundFailed: event(
    'RefundFailed',
    some.record({ reason: aReason, code: some.orNothing(some.anyText), failedAt: some.anyTime }),
  ),
}
export const anyRefundEvent: fc.Arbitrary<RefundEvent> = fc.oneof(...Object.values(refundEvents))
