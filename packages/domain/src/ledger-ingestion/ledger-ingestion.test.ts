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

describe('resuming the ingestion of a ledger', () => {
  it('records who resumes ingestion, why, over which ledgers, and how books and ledger compare', () =>
    given([]).when(resume).then([resumed]))
  it.each([
    ['and the cursor was not moved yet', 100],
    ['and the cursor stands where it was moved to', 139],
  ])('records nothing when repeated %s', (_, walkedTo) =>
    given([resumed])
      .when({ ...resume, walkedTo: ledger(walkedTo), reason: asText('again'), halted: null })
      .then([]),
  )
  it('replaces a resumption whose cursor was never moved', () => {
    const other = { ...resumption, from: ledger(130) }
    given([resumed])
      .when({ ...resume, ...other })
      .then([{ type: 'FollowingResumed', data: other }])
    const { evolve, initial } = LedgerIngestion.decider
    const both = [resumed, { type: 'FollowingResumed' as const, data: other }].reduce(evolve, initial)
    expect(both.resumptions).toEqual([other])
  })
  it('may begin right after the last ingested ledger, when the next one does not continue it', () => {
    const next = { ...resumption, from: ledger(101) }
    given([])
      .when({ ...resume, ...next })
      .then([{ type: 'FollowingResumed', data: next }])
  })
  it('rejects resuming at a ledger that was ingested', () =>
    given([])
      .when({ ...resume, from: ledger(100) })
      .rejects({ _tag: 'LedgerAlreadyWalked', walkedTo: ledger(100) }))
  it('resumes at an earlier ledger when the network went back', () => {
    const back = { ...resumption, from: ledger(3), halted: { reason: asText('LedgerWentBack'), ledger: ledger(100) } }
    given([])
      .when({ ...resume, ...back, latest: ledger(2) })
      .then([{ type: 'FollowingResumed', data: back }])
  })
  it('may resume at the ledger that closes next', () => {
    const next = { ...resumption, from: ledger(151) }
    given([])
      .when({ ...resume, ...next })
      .then([{ type: 'FollowingResumed', data: next }])
  })
  it('rejects resuming beyond the ledger that closes next', () =>
    given([])
      .when({ ...resume, from: ledger(152) })
      .rejects({ _tag: 'LedgerNotClosed', latest: ledger(150) }))
  it('rejects resuming while ingestion is not halted', () =>
    given([])
      .when({ ...resume, halted: null })
      .rejects({ _tag: 'FollowingNotHalted', walkedTo: ledger(100) }))
  it('skips ledgers without a halt only when forced', () => {
    const wished = { ...resumption, halted: null }
    given([])
      .when({ ...resume, ...wished, isForced: true })
      .then([{ type: 'FollowingResumed', data: wished }])
  })
})

describe('a transaction whose outcome is lost', () => {
  const transaction: UncountedTransaction = {
    transactionHash: hashOf(1),
    checkoutId: exampleId(CheckoutId, 1),
    paymentId: exampleId(PaymentId, 1),
    includedIn: null,
  }
  const left = { type: 'TransactionLeftUncounted' as const, data: transaction }
  it('leaves a transaction with a lost outcome to a person', () =>
    given([])
      .when({ type: 'LeaveUncounted', ...transaction })
      .then([left]))
  it('leaves such a transaction once, even when more is known later', () =>
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
  ])(
    'ledgers are skipped between the last ingested one and the resumption: some in %i to %i is %p',
    (first, last, holdsSome) => expect(isAnySkipped(state, ledger(first), ledger(last))).toBe(holdsSome),
  )
  it.each([
    [-1, true],
    [0, true],
    [1, false],
  ])('a moment %i ms after the last skipped ledger closed may be skipped: %p', (later, holdsSome) =>
    expect(isAnySkippedSince(state, unixMs(start + later))).toBe(holdsSome),
  )
  it('skips no ledgers when it resumes right after the last one, or earlier', () => {
    const next = { ...resumption, from: ledger(101) }
    const back = { ...resumption, from: ledger(3) }
    const both = { resumptions: [next, back], uncounted: [] }
    expect(isAnySkipped(both, ledger(1), ledger(1000))).toBe(false)
    expect(isAnySkippedSince(both, unixMs(0))).toBe(false)
  })
})
