import { CheckoutId, PaymentId } from '../shared/ids.ts'
import { LedgerSequence } from '../shared/incoming-payment.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { count, unixMs } from '../shared/units.ts'
import { decoded, exampleId, hashOf, merchantAccount, start, usdc } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import {
  isAnySkipped,
  isAnySkippedSince,
  LedgerIngestion,
  type Resumption,
  type UncountedTransaction,
} from './index.ts'

const { given } = scenario(LedgerIngestion.decider)
const ledger = (sequence: number) => decoded(LedgerSequence, sequence)
const halted = { reason: asText('RangePruned'), ledger: ledger(101) }
const resumption: Resumption = {
  walkedTo: ledger(100),
  from: ledger(140),
  closedAt: unixMs(start),
  by: asText('operator'),
  reason: asText('the node was away for nine days'),
  halted,
  comparison: {
    asOf: ledger(150),
    compared: count(2),
    differing: count(1),
    differences: [{ account: merchantAccount, assetId: usdc, counted: stroops(5n), held: stroops(7n) }],
  },
}
const resume = {
  type: 'ResumeFollowing' as const,
  ...resumption,
  latest: ledger(150),
  isForced: false,
}
const resumed = { type: 'FollowingResumed' as const, data: resumption }

describe('having the ledger followed on', () => {
  it('records who, why, over which ledgers, and how books and ledger compared', () =>
    given([]).when(resume).then([resumed]))
  it.each([
    ['and the cursor was not moved yet', 100],
    ['and the cursor stands where it was moved to', 139],
  ])('records nothing when it is recorded %s', (_, walkedTo) =>
    given([resumed])
      .when({ ...resume, walkedTo: ledger(walkedTo), reason: asText('again'), halted: null })
      .then([]),
  )
  it('takes the place of one whose cursor was never moved', () => {
    const other = { ...resumption, from: ledger(130) }
    given([resumed])
      .when({ ...resume, ...other })
      .then([{ type: 'FollowingResumed', data: other }])
    const { evolve, initial } = LedgerIngestion.decider
    const both = [resumed, { type: 'FollowingResumed' as const, data: other }].reduce(evolve, initial)
    expect(both.resumptions).toEqual([other])
  })
  it('may begin right after what was walked, where what follows does not continue it', () => {
    const next = { ...resumption, from: ledger(101) }
    given([])
      .when({ ...resume, ...next })
      .then([{ type: 'FollowingResumed', data: next }])
  })
  it('is rejected for a ledger that was ingested', () =>
    given([])
      .when({ ...resume, from: ledger(100) })
      .rejects({ _tag: 'LedgerAlreadyWalked', walkedTo: ledger(100) }))
  it('goes back where the network did', () => {
    const back = { ...resumption, from: ledger(3), halted: { reason: asText('LedgerWentBack'), ledger: ledger(100) } }
    given([])
      .when({ ...resume, ...back, latest: ledger(2) })
      .then([{ type: 'FollowingResumed', data: back }])
  })
  it('may wait for the ledger that closes next', () => {
    const next = { ...resumption, from: ledger(151) }
    given([])
      .when({ ...resume, ...next })
      .then([{ type: 'FollowingResumed', data: next }])
  })
  it('is rejected for a later one', () =>
    given([])
      .when({ ...resume, from: ledger(152) })
      .rejects({ _tag: 'LedgerNotClosed', latest: ledger(150) }))
  it('is rejected while the ledger can be followed', () =>
    given([])
      .when({ ...resume, halted: null })
      .rejects({ _tag: 'FollowingNotHalted', walkedTo: ledger(100) }))
  it('skips what could be followed when that is wished for expressly', () => {
    const wished = { ...resumption, halted: null }
    given([])
      .when({ ...resume, ...wished, isForced: true })
      .then([{ type: 'FollowingResumed', data: wished }])
  })
})

describe('a transaction that nobody can tell of any more', () => {
  const transaction: UncountedTransaction = {
    transactionHash: hashOf(1),
    checkoutId: exampleId(CheckoutId, 1),
    paymentId: exampleId(PaymentId, 1),
    includedIn: null,
  }
  const left = { type: 'TransactionLeftUncounted' as const, data: transaction }
  it('is left to a person', () =>
    given([])
      .when({ type: 'LeaveUncounted', ...transaction })
      .then([left]))
  it('is left once, whatever more is known of it', () =>
    given([left])
      .when({ type: 'LeaveUncounted', ...transaction, includedIn: ledger(120) })
      .then([]))
})

describe('skipped ledgers', () => {
  const state = LedgerIngestion.decider.evolve(LedgerIngestion.decider.initial, resumed)
  it.each([
    [90, 100, false],
    [90, 101, true],
    [120, 120, true],
    [139, 200, true],
    [140, 200, false],
  ])('are those between what was walked and where it went on: %i to %i holds some: %p', (first, last, holdsSome) =>
    expect(isAnySkipped(state, ledger(first), ledger(last))).toBe(holdsSome),
  )
  it.each([
    [-1, true],
    [0, true],
    [1, false],
  ])('may hold what happened %i ms after the last of them closed: %p', (later, holdsSome) =>
    expect(isAnySkippedSince(state, unixMs(start + later))).toBe(holdsSome),
  )
  it('are none where it went on right behind, or back', () => {
    const next = { ...resumption, from: ledger(101) }
    const back = { ...resumption, from: ledger(3) }
    const both = { resumptions: [next, back], uncounted: [] }
    expect(isAnySkipped(both, ledger(1), ledger(1000))).toBe(false)
    expect(isAnySkippedSince(both, unixMs(0))).toBe(false)
  })
})
