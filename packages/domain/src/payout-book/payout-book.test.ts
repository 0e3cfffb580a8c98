import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { PayoutId } from '../shared/ids.ts'
import { stroops } from '../shared/stroops.ts'
import { hourMs, positiveCount, unixMs } from '../shared/units.ts'
import { anyPayoutBookCommand } from '../testing/any-payout.ts'
import { exampleId, start, usdc } from '../testing/examples.ts'
import { ledgerOf } from '../testing/outgoing-examples.ts'
import { examplePayoutDetails, exampleSchedule, exampleTarget } from '../testing/payout-examples.ts'
import { scenario } from '../testing/scenario.ts'
import { mostPayoutClaims } from './decide.ts'
import { feesOwed, PayoutBook, type PayoutBookCommand, type PayoutBookEvent } from './index.ts'
import { lastDue, nextDue } from './schedule.ts'

const { given } = scenario(PayoutBook.decider)
const idOf = (number: number) => exampleId(PayoutId, number)
const units = (count: bigint) => stroops(count * 10_000_000n)
const { amount: _, keep: __, ...details } = examplePayoutDetails

const claim = (number: number, amount: bigint | 'all', spendable = units(100n), observedAt = ledgerOf(1000)) => ({
  type: 'ClaimPayout' as const,
  payoutId: idOf(number),
  amount: amount === 'all' ? amount : stroops(amount),
  details,
  spendable,
  observedAt,
  at: start,
})
const claimed = (number: number, amount: bigint): PayoutBookEvent => ({
  type: 'PayoutClaimed',
  data: {
    payoutId: idOf(number),
    details: { ...details, amount: stroops(amount), keep: stroops(0n) },
    claimedAt: start,
  },
})
const ended = (number: number, paidIn: number | null): PayoutBookEvent => ({
  type: 'PayoutClaimEnded',
  data: { payoutId: idOf(number), paidIn: paidIn === null ? null : ledgerOf(paidIn) },
})

describe('the balance that a payout may claim', () => {
  it('claims the spendable balance to the stroop', () =>
    given([])
      .when(claim(1, units(100n)))
      .then([claimed(1, units(100n))]))
  it('rejects a claim one stroop above the spendable balance', () =>
    given([])
      .when(claim(1, units(100n) + 1n))
      .rejects({ _tag: 'BalanceTooLow', available: units(100n) }))
  it('rejects a claim of nothing', () =>
    given([])
      .when(claim(1, 0n))
      .rejects({ _tag: 'BalanceTooLow', available: units(100n) }))
  it('claims only what others have not claimed', () => {
    const others = [claimed(1, units(60n))]
    given(others)
      .when(claim(2, units(40n)))
      .then([claimed(2, units(40n))])
    given(others)
      .when(claim(2, units(40n) + 1n))
      .rejects({ _tag: 'BalanceTooLow', available: units(40n) })
    given(others)
      .when(claim(2, 'all'))
      .then([claimed(2, units(40n))])
  })
  it('claims nothing when refunds have taken what others had claimed', () =>
    given([claimed(1, units(60n))])
      .when(claim(2, 'all', units(50n)))
      .rejects({ _tag: 'BalanceTooLow', available: units(0n) }))
  it('frees the claim of a payout that was not paid', () =>
    given([claimed(1, units(60n)), ended(1, null)])
      .when(claim(2, 'all'))
      .then([claimed(2, units(100n))]))
  it('rejects a balance older than a payout that was paid', () => {
    const paid = [claimed(1, units(60n)), ended(1, 1001)]
    given(paid)
      .when(claim(2, units(1n), units(100n), ledgerOf(1000)))
      .rejects({ _tag: 'BalanceOutdated', paidThrough: ledgerOf(1001) })
    given(paid)
      .when(claim(2, 'all', units(40n), ledgerOf(1001)))
      .then([claimed(2, units(40n))])
  })
  it('compares the balance with no payout from before a reset of the network', () => {
    const asOf = (ledger: number, epoch: number) => ({ ...claim(3, 1n, units(100n), ledgerOf(ledger)), epoch })
    const end = (epoch: number) => ({ type: 'EndPayoutClaim' as const, payoutId: idOf(2), paidIn: ledgerOf(50), epoch })
    const paid = [claimed(1, 1n), ended(1, 1001), claimed(2, 1n)]
    const endedAfter = (number: number, paidIn: number, epoch: number): PayoutBookEvent => ({
      type: 'PayoutClaimEnded',
      data: { payoutId: idOf(number), paidIn: ledgerOf(paidIn), epoch: positiveCount(epoch) },
    })
    given(paid)
      .when(end(0))
      .then([ended(2, 50)])
    given(paid)
      .when({ ...end(1), paidIn: null })
      .then([ended(2, null)])
    given(paid)
      .when(end(1))
      .then([endedAfter(2, 50, 1)])
    given([...paid, ended(2, null)])
      .when(asOf(40, 1))
      .then([claimed(3, 1n)])
    const anew = [...paid, endedAfter(2, 50, 1)]
    given(anew)
      .when(asOf(50, 1))
      .then([claimed(3, 1n)])
    const outdated = { _tag: 'BalanceOutdated' as const, paidThrough: ledgerOf(50) }
    given(anew).when(asOf(49, 1)).rejects(outdated)
    given(anew).when(asOf(2000, 0)).rejects(outdated)
    const later = [...anew, claimed(4, 1n), endedAfter(4, 60, 1), claimed(5, 1n), endedAfter(5, 55, 1)]
    given(later)
      .when(asOf(59, 1))
      .rejects({ ...outdated, paidThrough: ledgerOf(60) })
    given(later)
      .when(asOf(10, 2))
      .then([claimed(3, 1n)])
  })
  it('records a claim once and its release once', () => {
    given([claimed(1, units(60n))])
      .when(claim(1, units(60n)))
      .then([])
    const end: PayoutBookCommand = { type: 'EndPayoutClaim', payoutId: idOf(1), paidIn: null }
    given([claimed(1, units(60n))])
      .when(end)
      .then([ended(1, null)])
    given([claimed(1, units(60n)), ended(1, null)])
      .when(end)
      .then([])
  })
  it('limits how many payouts can hold a claim at once', () => {
    const many = Array.from({ length: mostPayoutClaims }, (_, index) => claimed(index + 1, 1n))
    given(many.slice(1))
      .when(claim(60, 1n))
      .then([claimed(60, 1n)])
    given(many).when(claim(60, 1n)).rejects({ _tag: 'TooManyPayouts', most: mostPayoutClaims })
  })
})

describe("collecting the operator's fees", () => {
  const collect = (number: number, bookedFees: bigint, spendable = units(100n), minimum = 0n) => ({
    type: 'CollectFees' as const,
    payoutId: idOf(number),
    bookedFees,
    minimum: stroops(minimum),
    details,
    spendable,
    observedAt: ledgerOf(1000),
    at: start,
  })
  const collected = (number: number, amount: bigint): PayoutBookEvent => ({
    type: 'PayoutClaimed',
    data: {
      payoutId: idOf(number),
      details: { ...details, amount: stroops(amount), keep: stroops(0n), purpose: 'platform_fee' },
      claimedAt: start,
    },
  })
  const nothing = { _tag: 'BalanceTooLow', available: stroops(0n) } as const

  it('takes what was booked, and what is there of it', () => {
    given([])
      .when(collect(1, 7n))
      .then([collected(1, 7n)])
    given([claimed(2, units(98n))])
      .when(collect(1, units(7n)))
      .then([collected(1, units(2n))])
  })
  it('takes nothing twice, whether it is on its way or was paid', () => {
    given([collected(1, 7n)])
      .when(collect(2, 7n))
      .rejects(nothing)
    given([collected(1, 7n), ended(1, 1000)])
      .when(collect(2, 7n))
      .rejects(nothing)
    given([collected(1, 7n), ended(1, 1000)])
      .when(collect(2, 9n))
      .then([collected(2, 2n)])
    given([collected(1, 7n)])
      .when(collect(1, 7n))
      .then([])
  })
  it('takes again what was not paid', () =>
    given([collected(1, 7n), ended(1, null)])
      .when(collect(2, 7n))
      .then([collected(2, 7n)]))
  it('is left aside by payouts until it is paid', () => {
    const observed = { bookedFees: units(7n) }
    const all = (number: number) => ({ ...claim(number, 'all'), ...observed })
    given([])
      .when(all(1))
      .then([claimed(1, units(93n))])
    given([collected(2, units(5n))])
      .when(all(1))
      .then([claimed(1, units(93n))])
    given([collected(2, units(5n)), ended(2, 1000)])
      .when(all(1))
      .then([claimed(1, units(98n))])
    given([collected(2, units(5n)), ended(2, null)])
      .when(all(1))
      .then([claimed(1, units(93n))])
  })
  it('takes nothing below its minimum, nor while more was collected than is booked', () => {
    given([])
      .when(collect(1, 7n, units(1n), 8n))
      .rejects({ _tag: 'BalanceTooLow', available: stroops(7n) })
    given([collected(1, 7n), ended(1, 1000)])
      .when(collect(2, 3n))
      .rejects(nothing)
  })
  it('records a collection that a ledger proves, once', () => {
    const [event] = [collected(1, units(7n))]
    if (event.type !== 'PayoutClaimed') throw new Error('no claim')
    const recover: PayoutBookCommand = { type: 'RecoverCollection', claim: event.data }
    given([]).when(recover).then([event])
    given([event]).when(recover).then([])
  })
  it('never collects more than was booked, for any requests in any order', () =>
    fc.assert(
      fc.property(fc.array(anyPayoutBookCommand, { maxLength: 60, size: 'max' }), (commands) => {
        const { initial, evolve, decide } = PayoutBook.decider
        let most = 0n
        commands.reduce((state, command) => {
          const decision = decide(command)(state)
          if (E.isLeft(decision)) return state
          const next = decision.right.reduce(evolve, state)
          const booked = command.type === 'CollectFees' ? (command.bookedFees ?? 0n) : 0n
          if (booked > most) most = booked
          expect(feesOwed(next, most) >= 0n).toBe(true)
          return next
        }, initial)
      }),
      { numRuns: 300 },
    ))
})

describe('a payout schedule', () => {
  const noon = unixMs(start + 12 * hourMs)
  const set = (schedule = exampleSchedule): PayoutBookEvent => ({
    type: 'PayoutScheduleSet',
    data: { schedule, setAt: start },
  })
  const run = (spendable: bigint, dueAt = noon, target: typeof exampleTarget | null = exampleTarget) => ({
    type: 'RunPayoutSchedule' as const,
    payoutId: idOf(9),
    dueAt,
    assetId: usdc,
    target,
    spendable: stroops(spendable),
    observedAt: ledgerOf(1000),
  })
  const paidOut = (amount: bigint): PayoutBookEvent => ({
    type: 'PayoutClaimed',
    data: {
      payoutId: idOf(9),
      details: { ...details, amount: stroops(amount), keep: exampleSchedule.reserve, dueAt: noon },
      claimedAt: noon,
    },
  })
  const skipped = (reason: 'nothing_available' | 'destination_unusable'): PayoutBookEvent => ({
    type: 'PayoutSkipped',
    data: { dueAt: noon, reason },
  })
  const { reserve } = exampleSchedule

  it('a schedule pays everything except its reserve', () =>
    given([set()])
      .when(run(reserve + 7n))
      .then([paidOut(7n)]))
  it('a schedule pays nothing when only the reserve is there', () =>
    given([set()])
      .when(run(reserve))
      .then([skipped('nothing_available')]))
  it('a schedule leaves what manual payouts have claimed', () =>
    given([set(), claimed(1, 5n)])
      .when(run(reserve + 7n))
      .then([paidOut(2n)]))
  it('a schedule pays once for each due time, however often it runs', () => {
    given([set(), paidOut(7n)])
      .when(run(reserve + 100n))
      .then([])
    given([set(), skipped('nothing_available')])
      .when(run(reserve + 100n))
      .then([])
  })
  it('a schedule pays nothing for times due before it was set or after it is removed', () => {
    given([set()])
      .when(run(reserve + 7n, start))
      .then([])
    const removed: PayoutBookEvent = { type: 'PayoutScheduleRemoved', data: { removedAt: noon } }
    given([set(), removed])
      .when(run(reserve + 7n))
      .then([])
  })
  it('a schedule reports that it pays nothing when its destination cannot be used', () =>
    given([set()])
      .when(run(reserve + 7n, noon, null))
      .then([skipped('destination_unusable')]))
  it('a schedule pays from its threshold on, and stays silent below it', () => {
    const threshold = set({ ...exampleSchedule, interval: { type: 'threshold', threshold: stroops(7n) } })
    given([threshold])
      .when(run(reserve + 7n))
      .then([paidOut(7n)])
    given([threshold])
      .when(run(reserve + 6n))
      .then([])
  })
  it('a schedule does not run on a balance older than a payout that was paid', () =>
    given([set(), claimed(1, 5n), ended(1, 1001)])
      .when(run(reserve + 7n))
      .rejects({ _tag: 'BalanceOutdated', paidThrough: ledgerOf(1001) }))

  const at = (text: string) => unixMs(Date.parse(text))
  it.each([
    [{ type: 'daily' as const }, '2026-11-23T10:00:00Z', '2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z'],
    [{ type: 'daily' as const }, '2026-11-23T00:00:00Z', '2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z'],
    [{ type: 'daily' as const }, '2026-11-22T23:59:59.999Z', '2026-11-22T00:00:00Z', '2026-11-23T00:00:00Z'],
    // The 23rd of November 2026 is a Monday.
    [
      { type: 'weekly' as const, weekday: 'monday' as const },
      '2026-11-23T00:00:00Z',
      '2026-11-23T00:00:00Z',
      '2026-11-30T00:00:00Z',
    ],
    [
      { type: 'weekly' as const, weekday: 'tuesday' as const },
      '2026-11-23T10:00:00Z',
      '2026-11-17T00:00:00Z',
      '2026-11-24T00:00:00Z',
    ],
    [
      { type: 'weekly' as const, weekday: 'sunday' as const },
      '2026-11-23T10:00:00Z',
      '2026-11-22T00:00:00Z',
      '2026-11-29T00:00:00Z',
    ],
    [
      { type: 'threshold' as const, threshold: stroops(1n) },
      '2026-11-23T10:59:59Z',
      '2026-11-23T10:00:00Z',
      '2026-11-23T11:00:00Z',
    ],
  ])('schedule %j at %s was last due at %s and is next due at %s', (interval, now, last, next) => {
    expect([lastDue({ interval }, at(now)), nextDue({ interval }, at(now))]).toEqual([at(last), at(next)])
  })
})

it('never claims more than the spendable balance, for any requests in any order', () =>
  fc.assert(
    fc.property(fc.array(anyPayoutBookCommand, { maxLength: 40, size: 'max' }), (commands) => {
      const { initial, evolve, decide } = PayoutBook.decider
      commands.reduce((state, command) => {
        const decision = decide(command)(state)
        if (E.isLeft(decision)) return state
        const next = decision.right.reduce(evolve, state)
        if (next.claims.length > state.claims.length && 'spendable' in command) {
          const all = next.claims.reduce((sum, claim) => sum + claim.details.amount, 0n)
          const kept = next.claims.at(-1)?.details.keep ?? 0n
          expect(all + kept <= command.spendable).toBe(true)
        }
        return next
      }, initial)
    }),
    { numRuns: 300 },
  ))
