import { CheckoutId, PaymentId } from '../shared/ids.ts'
import { LedgerSequence, TransactionHash } from '../shared/incoming-payment.ts'
import { stroops } from '../shared/stroops.ts'
import { asText } from '../shared/text.ts'
import { count, positiveCount, unixMs } from '../shared/units.ts'
import { decoded, exampleId, hashOf, merchantAccount, start, usdc } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import {
  isAnySkipped,
  isAnySkippedSince,
  LedgerIngestion,
  type PassedOver,
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
    const { initial } = LedgerIngestion.decider
    const both = { ...initial, resumptions: [next, back] }
    expect(isAnySkipped(both, ledger(1), ledger(1000))).toBe(false)
    expect(isAnySkippedSince(both, unixMs(0))).toBe(false)
  })
})

describe('a ledger that cannot be decoded and holds nothing of ours', () => {
  const passed = (sequence: number, protocol = 28): PassedOver => ({
    ledger: ledger(sequence),
    hash: asText('aa'),
    closedAt: unixMs(start),
    protocol: count(protocol),
    cause: asText('an unknown operation'),
  })
  const event = (sequence: number, protocol?: number) =>
    ({ type: 'LedgerPassedOver', data: passed(sequence, protocol) }) as const
  const pass = (sequence: number, protocol?: number) => ({ type: 'PassOver', ...passed(sequence, protocol) }) as const
  const { comparison } = resumption
  const compare = (through: number) => ({ type: 'ComparePassedOver', through: ledger(through), comparison }) as const
  const compared = (through: number) =>
    ({ type: 'PassedOverCompared', data: { through: ledger(through), comparison } }) as const

  it('is recorded once', () => {
    given([])
      .when(pass(101))
      .then([event(101)])
    given([event(101)])
      .when(pass(101))
      .then([])
    given([event(101)])
      .when(pass(102))
      .then([event(102)])
  })
  it('may be transactions of a ledger, of which the event names the first hundred', () => {
    const hashes = Array.from({ length: 101 }, (_, index) =>
      decoded(TransactionHash, index.toString(16).padStart(64, '0')),
    )
    const some = { count: count(101), transactions: hashes.slice(0, 100) }
    const recorded = { type: 'TransactionsPassedOver', data: { ...passed(101), ...some } } as const
    given([])
      .when({ ...pass(101), transactions: hashes })
      .then([recorded])
    given([recorded])
      .when({ ...pass(101), transactions: hashes })
      .then([])
    given([recorded])
      .when(compare(101))
      .then([compared(101)])
  })
  it('is one of at most a thousand of a protocol', () => {
    const most = Array.from({ length: 1_000 }, (_, index) => event(101 + index))
    given(most.slice(1))
      .when(pass(1_101))
      .then([event(1_101)])
    given(most)
      .when(pass(1_101))
      .rejects({ _tag: 'TooManyPassedOver', protocol: count(28) })
    given(most)
      .when(pass(1_101, 29))
      .then([event(1_101, 29)])
  })
  it('is followed by one comparison of the books', () => {
    given([]).when(compare(101)).then([])
    given([event(101)])
      .when(compare(101))
      .then([compared(101)])
    given([event(101), event(102)])
      .when(compare(101))
      .then([])
    given([event(101), compared(101)])
      .when(compare(101))
      .then([])
    given([event(101), compared(101), event(102)])
      .when(compare(102))
      .then([compared(102)])
  })
})

describe('a reset of the network', () => {
  const at = unixMs(start)
  const ingested = { ledger: ledger(100), closedAt: at }
  const begins = { ledger: ledger(40), closedAt: at }
  const why = { ended: ingested, by: asText('Ada'), reason: asText('the quarterly reset'), at }
  const seen = { evidence: 'ledger_went_back' as const, ingested, found: begins, at }
  const found = { type: 'NetworkResetFound' as const, data: seen }
  const begun = (epoch = 1) => ({ type: 'NetworkResetBegun' as const, data: { epoch: positiveCount(epoch), ...why } })
  const completed = (epoch = 1) => ({
    type: 'NetworkResetCompleted' as const,
    data: { epoch: positiveCount(epoch), begins, at },
  })
  const find = { type: 'FindReset' as const, ...seen }
  const begin = (isForced = false, epoch = 1) => ({
    type: 'BeginReset' as const,
    epoch: positiveCount(epoch),
    ...why,
    isForced,
  })
  const complete = { type: 'CompleteReset' as const, epoch: 1, begins, at }
  const disprove = { type: 'DisproveReset' as const, at }

  it('is found once', () => {
    given([]).when(find).then([found])
    given([found]).when(find).then([])
    given([found, begun()]).when(find).then([])
  })
  it('is taken back only before the operator has decided', () => {
    given([found])
      .when(disprove)
      .then([{ type: 'NetworkResetDisproved', data: { at } }])
    given([]).when(disprove).then([])
    given([found, begun()]).when(disprove).then([])
  })
  it('begins once it was found, or by force; one that is under way goes on', () => {
    given([]).when(begin()).rejects({ _tag: 'NetworkNotReset' })
    given([found]).when(begin()).then([begun()])
    given([])
      .when(begin(true))
      .then([{ ...begun(), data: { ...begun().data, isForced: true } }])
    given([found, begun()]).when(begin()).then([])
  })
  it('is completed once, and the next one begins another epoch', () => {
    given([found, begun()]).when(complete).then([completed()])
    given([found, begun(), completed()]).when(complete).then([])
    given([found, begun(), completed()]).when(begin(false, 2)).rejects({ _tag: 'NetworkNotReset' })
    given([found, begun(), completed(), found])
      .when(begin(false, 2))
      .then([begun(2)])
  })
  it.each([
    ['while nothing shows another', []],
    ['while another is found', [found]],
    ['while another is under way', [found, begun(2)]],
  ])('is not begun again, nor by force, by a process that has seen an epoch that has ended: %s', (_, since) =>
    given([found, begun(), completed(), ...since])
      .when(begin(true))
      .rejects({ _tag: 'EpochHasEnded', epoch: positiveCount(1) }),
  )
  it('is not completed by a process that ended an earlier epoch', () => {
    given([found, begun(), completed(), found, begun(2)])
      .when(complete)
      .then([])
  })
})
