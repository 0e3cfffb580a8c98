import fc from 'fast-check'
import type { PayoutCommand, PayoutDetails, PayoutEvent } from '../payout/index.ts'
import type { PayoutBookCommand, PayoutBookEvent, PayoutSchedule } from '../payout-book/index.ts'
import type {
  PayoutDestinationCommand,
  PayoutDestinationDetails,
  PayoutDestinationEvent,
} from '../payout-destination/index.ts'
import { PayoutId } from '../shared/ids.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { positiveCount, unixMs } from '../shared/units.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'
import { exampleId, hashOf, start, usdc } from './examples.ts'
import { ledgerOf } from './outgoing-examples.ts'
import {
  exampleDestination,
  examplePayoutDetails,
  exampleSchedule,
  exampleTarget,
  memoText,
  muxedDestination,
} from './payout-examples.ts'

// A few of each, so that commands meet.
const one = fc.constantFrom
const aPayout = one(exampleId(PayoutId, 1), exampleId(PayoutId, 2), exampleId(PayoutId, 3))
const aTime = one(start, unixMs(start + 1), unixMs(start + 2))
const aReason = one('insufficient_funds' as const, 'not_sent' as const)
const anAmount = one(stroops(0n), stroops(1n), stroops(50_000_001n), stroops(100_000_000n))

const details: fc.Arbitrary<PayoutDetails> = one(
  examplePayoutDetails,
  { ...examplePayoutDetails, target: { ...exampleTarget, memo: null }, dueAt: start },
  { ...examplePayoutDetails, target: { ...exampleTarget, memo: memoText } },
  { ...examplePayoutDetails, purpose: 'platform_fee' },
)
const settlement = some.record({
  transactionHash: one(hashOf(1), hashOf(2)),
  ledger: one(ledgerOf(1001)),
  closedAt: aTime,
})

const command = <const Type extends string, Fields>(type: Type, fields: fc.Arbitrary<Fields>) =>
  fields.map((each) => ({ type, ...each }))

export const anyPayoutCommand: fc.Arbitrary<PayoutCommand> = fc.oneof(
  command('RequestPayout', details),
  command('CancelPayout', some.record({ at: aTime })),
  command('SettlePayout', settlement),
  command('FailPayout', some.record({ reason: aReason, code: one(null, asText('paymentNoTrust')), at: aTime })),
)

const payoutEvents: ByType<PayoutEvent> = {
  PayoutRequested: event('PayoutRequested', details),
  PayoutCanceled: event('PayoutCanceled', some.record({ canceledAt: some.anyTime })),
  PayoutSucceeded: event('PayoutSucceeded', settlement),
  PayoutFailed: event(
    'PayoutFailed',
    some.record({ reason: aReason, code: some.orNothing(some.anyText), failedAt: some.anyTime }),
  ),
}
export const anyPayoutEvent: fc.Arbitrary<PayoutEvent> = fc.oneof(...Object.values(payoutEvents))

const schedule: fc.Arbitrary<PayoutSchedule> = one(
  exampleSchedule,
  { ...exampleSchedule, reserve: stroops(0n), interval: { type: 'weekly', weekday: 'friday' } },
  { ...exampleSchedule, interval: { type: 'threshold', threshold: stroops(2n) } },
)
const observed = {
  spendable: one(stroops(0n), stroops(100_000_000n), stroops(300_000_000n)),
  observedAt: one(ledgerOf(1), ledgerOf(1001), ledgerOf(1002)),
  bookedFees: one(0n, 1n, 100_000_000n),
  epoch: one(0, 1, 2),
}

export const anyPayoutBookCommand: fc.Arbitrary<PayoutBookCommand> = fc.oneof(
  command(
    'ClaimPayout',
    some.record({
      payoutId: aPayout,
      amount: fc.oneof(anAmount, fc.constant('all' as const)),
      details: fc.constant(examplePayoutDetails),
      at: aTime,
      ...observed,
    }),
  ),
  command(
    'RunPayoutSchedule',
    some.record({
      payoutId: aPayout,
      dueAt: aTime,
      assetId: fc.constant(usdc),
      target: one(null, exampleTarget),
      ...observed,
    }),
  ),
  command(
    'CollectFees',
    some.record({
      payoutId: aPayout,
      minimum: one(stroops(0n), stroops(2n)),
      details: fc.constant(examplePayoutDetails),
      at: aTime,
      ...observed,
    }),
  ),
  command(
    'EndPayoutClaim',
    some.record({
      payoutId: aPayout,
      paidIn: one(null, ledgerOf(1001), ledgerOf(1002)),
      epoch: one(0, 1, 2),
    }),
  ),
  command('SetPayoutSchedule', some.record({ schedule, at: aTime })),
  command('RemovePayoutSchedule', some.record({ at: aTime })),
)

const claim = { payoutId: some.anyId(PayoutId), details, claimedAt: some.anyTime }
const bookEvents: ByType<PayoutBookEvent> = {
  PayoutClaimed: event(
    'PayoutClaimed',
    fc.oneof(some.record(claim), some.record({ ...claim, source: some.anyAccount })),
  ),
  PayoutClaimEnded: event(
    'PayoutClaimEnded',
    fc.oneof(
      some.record({ payoutId: some.anyId(PayoutId), paidIn: some.orNothing(some.anyLedger) }),
      some.record({ payoutId: some.anyId(PayoutId), paidIn: some.anyLedger, epoch: one(positiveCount(1)) }),
    ),
  ),
  PayoutScheduleSet: event('PayoutScheduleSet', some.record({ schedule, setAt: some.anyTime })),
  PayoutScheduleRemoved: event('PayoutScheduleRemoved', some.record({ removedAt: some.anyTime })),
  PayoutSkipped: event(
    'PayoutSkipped',
    some.record({ dueAt: some.anyTime, reason: one('nothing_available', 'destination_unusable') }),
  ),
}
export const anyPayoutBookEvent: fc.Arbitrary<PayoutBookEvent> = fc.oneof(...Object.values(bookEvents))

const destination: fc.Arbitrary<PayoutDestinationDetails> = one(exampleDestination, muxedDestination)

export const anyPayoutDestinationCommand: fc.Arbitrary<PayoutDestinationCommand> = fc.oneof(
  command('RegisterPayoutDestination', destination),
  command('ProvePayoutDestination', some.record({ at: aTime })),
  command('RemovePayoutDestination', some.record({ at: aTime })),
)

const destinationEvents: ByType<PayoutDestinationEvent> = {
  PayoutDestinationRegistered: event('PayoutDestinationRegistered', destination),
  PayoutDestinationProven: event('PayoutDestinationProven', some.record({ provenAt: some.anyTime })),
  PayoutDestinationRemoved: event('PayoutDestinationRemoved', some.record({ removedAt: some.anyTime })),
}
export const anyPayoutDestinationEvent: fc.Arbitrary<PayoutDestinationEvent> = fc.oneof(
  ...Object.values(destinationEvents),
)
