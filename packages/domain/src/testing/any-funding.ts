import fc from 'fast-check'
import { type FundingCommand, type FundingEvent, FundingReason } from '../funding/index.ts'
import { stroops } from '../shared/stroops.ts'
import { unixMs } from '../shared/units.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'
import { exampleCredit, hashOf, merchantAccount, native, payerAccount, start, usdc } from './examples.ts'

const anyReason = fc.constantFrom(...Object.keys(FundingReason.keys).filter((reason) => FundingReason.is(reason)))

const fundingEvents: ByType<FundingEvent> = {
  FundingAnnounced: event(
    'FundingAnnounced',
    some.record({
      from: some.orNothing(some.anyAccount),
      assetId: some.orNothing(some.anyAsset),
      amount: some.orNothing(some.anyStroops),
      announcedAt: some.anyTime,
      expiresAt: some.anyTime,
    }),
  ),
  FundingReceived: event(
    'FundingReceived',
    some.recordWith(
      {
        reason: anyReason,
        account: some.anyAccount,
        from: some.anyAccount,
        assetId: some.anyAsset,
        amount: some.anyStroops,
        transactionHash: some.anyTransactionHash,
        operationIndex: some.anyOperationIndex,
        ledger: some.anyLedger,
        closedAt: some.anyTime,
      },
      { ordinal: some.anyOrdinal, origin: some.anyOrigin },
    ),
  ),
  OwnMovementBooked: event(
    'OwnMovementBooked',
    some.record({
      account: some.anyAccount,
      assetId: some.anyAsset,
      amount: some.anyStroops,
      direction: fc.constantFrom('gain', 'loss'),
      movements: fc.array(some.anyText),
      transactionHash: some.anyTransactionHash,
      operationIndex: some.anyOperationIndex,
      ledger: some.anyLedger,
      closedAt: some.anyTime,
    }),
  ),
}
export const anyFundingEvent: fc.Arbitrary<FundingEvent> = fc.oneof(...Object.values(fundingEvents))

// A few of each, so that commands meet.
const one = fc.constantFrom
const aTime = one(start, unixMs(start + 1), unixMs(start + 2))
const anAmount = one(stroops(1n), stroops(2n))
const { operationIndex, ledger } = exampleCredit

export const anyFundingCommand: fc.Arbitrary<FundingCommand> = fc.oneof(
  some.record({
    type: fc.constant('AnnounceFunding' as const),
    from: some.orNothing(one(payerAccount)),
    assetId: some.orNothing(one(native, usdc)),
    amount: some.orNothing(anAmount),
    announcedAt: fc.constant(start),
    expiresAt: aTime,
  }),
  some.record({
    type: fc.constant('ReceiveFunding' as const),
    reason: anyReason,
    account: fc.constant(merchantAccount),
    from: one(payerAccount, merchantAccount),
    assetId: one(native, usdc),
    amount: anAmount,
    transactionHash: one(hashOf(1), hashOf(2)),
    operationIndex: fc.constant(operationIndex),
    ledger: fc.constant(ledger),
    closedAt: aTime,
  }),
  some.record({
    type: fc.constant('BookOwnMovement' as const),
    account: fc.constant(merchantAccount),
    assetId: one(native),
    amount: anAmount,
    direction: one('gain' as const, 'loss' as const),
    movements: fc.constant([]),
    transactionHash: one(hashOf(1), hashOf(2)),
    operationIndex: fc.constant(operationIndex),
    ledger: fc.constant(ledger),
    closedAt: aTime,
  }),
)
