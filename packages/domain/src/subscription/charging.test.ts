import { stroops } from '../shared/stroops.ts'
import { count, hourMs, minuteMs, positiveCount, type UnixMs, unixMs } from '../shared/units.ts'
import { scenario } from '../testing/scenario.ts'
import {
  allowed,
  attemptOf,
  begun,
  confirmed,
  daily,
  dayMs,
  dearer,
  failed,
  inLedgerAt,
  mandateOf,
  monthly,
  on,
  paymentOf,
} from '../testing/subscription-examples.ts'
import { type Ends, type Life, lifeOf } from '../testing/subscription-life.ts'
import { chargeDueAt, nextChargeAt, nextStep, Subscription } from './index.ts'
import { chargeAt } from './next-charge.ts'

const { given } = scenario(Subscription.decider)
const next = (each: Life, when: UnixMs) => attemptOf(chargeAt(each.state, when), when)
const boundary = on('2027-02-28')
const paid = (until = on('2027-02-27')): Life => {
  const life = lifeOf(begun(on('2027-01-31')))
  life.pass(until)
  return life
}
const life = paid()
const attempt = attemptOf(chargeAt(life.state, boundary), boundary)
const { type: _, periodStart: __, ...asked } = attempt
const attempted = {
  type: 'ChargeAttempted' as const,
  data: {
    ...asked,
    mandateId: mandateOf(500, monthly, boundary).mandateId,
    period: { start: boundary, end: on('2027-03-31') },
    price: monthly.price,
  },
}

describe('attempting a charge of a subscription', () => {
  it('charges when the period begins', () => given(life.history).when(attempt).then([attempted]))
  it('does not charge a millisecond before the period begins', () =>
    given(life.history)
      .when({ ...attempt, at: unixMs(boundary - 1) })
      .rejects({ _tag: 'NotDue', dueAt: boundary }))
  it('attempts a charge once', () =>
    given([...life.history, attempted])
      .when(attempt)
      .then([]))
  it('waits for the outcome of one charge before it attempts another', () =>
    given([...life.history, attempted])
      .when({ ...attempt, k: count(1), paymentId: paymentOf(1, 1) })
      .rejects({ _tag: 'AttemptUnderWay', paymentId: paymentOf(1, 0) }))
  it('charges the current period and forgives earlier ones in the same decision', () => {
    const at = on('2027-05-15')
    const late = attemptOf(chargeAt(life.state, at), at)
    const { type: _, periodStart: __, ...fields } = late
    const { price } = late
    given(life.history)
      .when(late)
      .then([
        {
          type: 'PeriodsForgiven',
          data: { from: count(1), to: count(2), at, lost: { periods: positiveCount(2), price } },
        },
        {
          type: 'ChargeAttempted',
          data: {
            ...attempted.data,
            ...fields,
            n: count(3),
            period: { start: on('2027-04-30'), end: on('2027-05-31') },
          },
        },
      ])
  })
  it.each([
    ['another period', { n: count(2) }],
    ['another attempt', { k: count(1) }],
    ['another beginning', { periodStart: unixMs(boundary + 1000) }],
    ['another purpose', { why: 'resume' as const }],
  ])('rejects a charge for %s than the one that is due', (_, other) =>
    given(life.history)
      .when({ ...attempt, ...other })
      .rejects({ _tag: 'OtherChargeDue', n: count(1), k: count(0), periodStart: boundary }),
  )
  it('rejects a charge at the price from before a swap', () => {
    const anchor = { at: on('2027-01-31'), n: count(0) }
    given([...life.history, { type: 'ProductSwapped', data: { terms: dearer, anchor, at: boundary } }])
      .when(attempt)
      .rejects({ _tag: 'OtherPriceCounts' })
  })
  it('charges up to the cap; withdraws one stroop more as a hard failure that was never sent', () => {
    const cap = stroops(110_000_000n)
    const stepAfter = (amount: typeof cap) => {
      const asked = paid()
      expect(asked.give({ ...attempt, amount })).toBeNull()
      return nextStep(asked.state, boundary, asked.policy)
    }
    expect(stepAfter(cap)).toMatchObject({ _tag: 'hand_over_charge' })
    expect(stepAfter(stroops(cap + 1n))).toMatchObject({ _tag: 'withdraw_charge', refusal: 'above_cap' })
    const dear = paid()
    dear.give({ ...attempt, amount: stroops(cap + 1n) })
    dear.wakeAt(boundary)
    expect(dear.history.slice(-2)).toMatchObject([
      { type: 'ChargeFailed', data: { k: 0, outcome: 'hard', cause: 'above_cap', includedIn: null, counts: true } },
      { type: 'AuthorizationRequested', data: { kind: 'mandate', why: 'charge_failed' } },
    ])
  })
})

describe('a charge that fails for technical reasons', () => {
  const waits = (ends: Ends): ReadonlyArray<number> => {
    const stuck = paid()
    stuck.pass(unixMs(boundary + 8 * hourMs), ends)
    return stuck.history.flatMap((event) => {
      if (event.type === 'ChargeFailed') return [(event.data.retryAt ?? 0) - event.data.failedAt]
      return event.type === 'ChargeDelayed' ? [event.data.retryAt - event.data.at] : []
    })
  }
  const expected = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, hourMs, hourMs]
  it('retries a technical failure after 1, 5 and 30 minutes, 2 hours, then every hour', () =>
    expect(waits(() => 'transaction_dead').slice(0, 6)).toEqual(expected))
  it('retries a charge that could not be made on the same schedule', () =>
    expect(waits(() => 'no_rate').slice(0, 6)).toEqual(expected))
  it('keeps the subscription active after technical failures, and alarms the operator daily after one day', () => {
    const stuck = paid()
    stuck.pass(unixMs(boundary + 3 * dayMs), () => 'transaction_dead')
    expect(stuck.state).toMatchObject({ status: 'active', failedPaymentCount: 0 })
    const since = stuck.history.find(({ type }) => type === 'ChargeFailed')
    const alarms = stuck.history.flatMap(({ type, data }) => (type === 'OperatorAlarmed' ? [data] : []))
    const first = boundary + 5000
    expect(since).toMatchObject({ data: { failedAt: first, counts: false } })
    expect(alarms).toEqual([1, 2].map((days) => ({ cause: 'charge_stuck', since: first, at: first + days * dayMs })))
  })
  it.each([
    ['canceled', { type: 'Cancel', when: 'now' }],
    ['paused', { type: 'Pause' }],
  ] as const)('stops alarming the operator about a stuck charge once the subscription is %s', (status, ended) => {
    const stuck = paid()
    stuck.pass(boundary, () => 'unknown')
    stuck.give({ ...ended, at: stuck.now })
    stuck.give(failed(1, 0, 'contract_refused', stuck.now))
    stuck.pass(unixMs(boundary + 30 * dayMs))
    expect(stuck.state).toMatchObject({ status, trouble: null, attempts: [{ status: 'failed' }] })
    expect(stuck.typesSince(0)).not.toContain('OperatorAlarmed')
  })
  it('renews for the scheduled period as soon as the technical failure is over', () => {
    const stuck = paid()
    stuck.pass(unixMs(boundary + 5 * hourMs), () => 'no_node')
    stuck.pass(unixMs(boundary + 6 * hourMs))
    expect(stuck.state.covered).toMatchObject({ n: 1, period: { start: boundary, end: on('2027-03-31') } })
  })
})

describe('the distance between two charges', () => {
  /** Paid so long before the end of the second period, after that long without money. */
  const paidLate = (terms: typeof monthly, beforeEndMs: number) => {
    const late = lifeOf(begun(on('2027-01-31'), { terms }))
    const { end: start } = late.state.covered.period
    late.pass(start, () => 'balance_too_low')
    const end = chargeAt(late.state, start).period.end
    const funded = unixMs(end - beforeEndMs)
    late.pass(unixMs(funded - 1), () => 'balance_too_low')
    if (late.state.status !== 'past_due') throw new Error(late.state.status)
    late.give({ type: 'RequestRetry', cause: 'funded', at: funded })
    late.wakeAt(funded)
    return { late, end, paidAt: late.now }
  }
  const weekly = { ...monthly, interval: 'week' } as const
  it.each([
    ['half a day after a daily charge', daily, 12 * hourMs],
    ['a day after a weekly charge', weekly, dayMs],
  ])('lies %s near the end of its period, in an unchanged schedule', (_, terms, distance) => {
    const { late, end, paidAt } = paidLate(terms, 12_000)
    expect(nextChargeAt(late.state)).toBe(paidAt + distance)
    late.pass(unixMs(paidAt + distance - 1))
    expect(late.state.covered).toMatchObject({ n: 1, paidAt })
    late.pass(unixMs(paidAt + distance + minuteMs))
    expect(late.state.covered).toMatchObject({ n: 2, period: { start: end } })
  })
  it('delays no charge after a payment at the beginning of its period', () => {
    const { late, end } = paidLate(daily, 12 * hourMs + 5_000)
    expect(nextChargeAt(late.state)).toBe(end)
  })
  it('delays a charge that resumes, too', () => {
    const { late, end, paidAt } = paidLate(daily, 12_000)
    late.give({ type: 'Pause', at: late.now })
    late.give({ type: 'Resume', at: unixMs(end + minuteMs) })
    late.pass(unixMs(paidAt + 12 * hourMs - 1))
    expect(late.state).toMatchObject({ status: 'paused', covered: { n: 1 } })
    // It waits for what is technical from then on, and not from when it was asked for.
    late.pass(unixMs(paidAt + 12 * hourMs), () => 'transaction_dead')
    late.pass(unixMs(paidAt + 12 * hourMs + 2 * minuteMs))
    expect(late.state).toMatchObject({ status: 'active', covered: { n: 2 } })
  })
})

describe('the time of a retry', () => {
  // The highest that a keyed hash gives.
  const jitter = 1 - 2 ** -32
  /** What is recorded of a retry, and until when it is waited for. */
  const after = (cause: 'balance_too_low' | 'no_trustline' | 'transaction_dead') => {
    const tried = paid()
    tried.pass(boundary, () => 'unknown')
    tried.give({ ...failed(1, 0, cause, boundary), jitter })
    return tried
  }
  it.each([
    ['balance_too_low', 6 * hourMs, 30 * minuteMs],
    ['no_trustline', 6 * hourMs, 30 * minuteMs],
    ['transaction_dead', minuteMs, minuteMs / 4],
  ] as const)('after %s is up to half an hour, and a quarter of the wait, later than it says', (cause, wait, most) => {
    const tried = after(cause)
    const stated = unixMs(boundary + wait)
    const { data } = tried.history.findLast(({ type }) => type === 'ChargeFailed') ?? {}
    expect(data).toMatchObject({ retryAt: stated, retryOffsetMs: most - 1 })
    if (cause !== 'transaction_dead') expect(nextChargeAt(tried.state)).toBe(stated)
    expect(chargeDueAt(tried.state)).toBe(stated + most - 1)
    expect(tried.give({ ...next(tried, unixMs(stated + most - 2)) })).toMatchObject({ _tag: 'NotDue' })
    expect(tried.give({ ...next(tried, unixMs(stated + most - 1)) })).toBeNull()
  })
  it('after a delay is later than it says, too', () => {
    const tried = paid()
    tried.give({ type: 'DelayCharge', at: boundary, n: count(1), cause: 'no_rate', jitter })
    const retryAt = unixMs(boundary + minuteMs)
    const data = { n: 1, cause: 'no_rate', at: boundary, retryAt, retryOffsetMs: 14_999 }
    expect(tried.history.at(-1)).toEqual({ type: 'ChargeDelayed', data })
    expect(chargeDueAt(tried.state)).toBe(retryAt + 14_999)
  })
})

describe('charge attempts that reach a ledger', () => {
  /** So many failed in a ledger, a minute apart. */
  const reaching = (times: number): Life => {
    const each = paid()
    for (let time = 0; time < times; time++) {
      const at = unixMs(boundary + time * minuteMs)
      each.give({ type: 'RequestRetry', cause: 'demand', at })
      const charge = chargeAt(each.state, at)
      each.give(attemptOf(charge, at))
      each.give({ ...failed(charge.n, charge.k, 'balance_too_low', at), includedIn: inLedgerAt(at).ledger })
    }
    each.give({ type: 'RequestRetry', cause: 'demand', at: unixMs(boundary + hourMs) })
    return each
  }
  const at = unixMs(boundary + hourMs)
  it('lets three attempts a day reach a ledger', () => {
    const two = reaching(2)
    expect(two.give(next(two, at))).toBeNull()
    expect(two.history.at(-1)).toMatchObject({ type: 'ChargeAttempted', data: { k: 2 } })
  })
  it('stops charging for a day after a fourth attempt', () => {
    const three = reaching(3)
    const until = unixMs(at + dayMs)
    given(three.history)
      .when(next(three, at))
      .then([{ type: 'AttemptsStopped', data: { attempts: positiveCount(3), at, until } }])
    three.give(next(three, at))
    expect(three.give(next(three, unixMs(until - 1)))).toEqual({ _tag: 'AttemptsAreStopped', until })
    three.give({ type: 'RequestRetry', cause: 'demand', at: until })
    expect(three.give(next(three, until))).toBeNull()
  })
  it('resumes charging by itself when the day is over', () => {
    const three = reaching(3)
    three.give(next(three, at))
    const tried = three.state.attempts.length
    three.pass(unixMs(at + dayMs - 1))
    expect(three.state.attempts).toHaveLength(tried)
    three.pass(unixMs(at + dayMs))
    expect(three.state).toMatchObject({ status: 'active', covered: { n: 1 } })
  })
  it('counts attempts anew when a person allows them', () => {
    const three = reaching(3)
    three.give(next(three, at))
    const later = unixMs(at + hourMs)
    given(three.history)
      .when(allowed(later))
      .then([
        { type: 'AttemptsAllowed', data: { at: later, by: allowed(later).by, reason: allowed(later).reason } },
        { type: 'RetryRequested', data: { cause: 'demand', at: later } },
      ])
    three.give(allowed(later))
    expect(three.give(next(three, later))).toBeNull()
    expect(three.history.at(-1)).toMatchObject({ type: 'ChargeAttempted', data: { k: 3 } })
  })
  it('records nothing when attempts are allowed after the day or after a cancellation', () => {
    const three = reaching(3)
    three.give(next(three, at))
    given(three.history)
      .when(allowed(unixMs(at + dayMs)))
      .then([])
    three.give({ type: 'Cancel', when: 'now', at })
    given(three.history).when(allowed(at)).then([])
  })
  it('announces later renewals once a stopped charge was paid', () => {
    const three = reaching(3)
    three.give(next(three, at))
    three.pass(unixMs(at + dayMs))
    const from = three.history.length
    three.pass(on('2027-03-30'))
    expect(three.typesSince(from)).toEqual(['RenewalAnnounced'])
    three.pass(on('2027-04-01'))
    expect(three.state).toMatchObject({ status: 'active', covered: { n: 2 }, stoppedUntil: null })
  })
  it('lifts the stop once the period is paid', () => {
    const three = reaching(3)
    three.give(next(three, at))
    expect(three.give(confirmed(1, 0, unixMs(at + hourMs)))).toBeNull()
    expect(three.state).toMatchObject({ status: 'active', stoppedUntil: null })
  })
  it('does not count attempts that were never sent', () => {
    const many = paid()
    for (let time = 0; time < 9; time++) {
      const when = unixMs(boundary + time * minuteMs)
      many.give({ type: 'RequestRetry', cause: 'demand', at: when })
      const charge = chargeAt(many.state, when)
      many.give(attemptOf(charge, when))
      expect(many.give(failed(charge.n, charge.k, 'balance_too_low', when))).toBeNull()
    }
  })
})

describe('late money for a charge', () => {
  const closedAt = on('2027-03-02')
  it('counts money for an attempt that had been given up', () => {
    const unpaid = paid()
    unpaid.pass(on('2027-03-01'), () => 'balance_too_low')
    given(unpaid.history)
      .when(confirmed(1, 0, closedAt))
      .then([
        {
          type: 'ChargeConfirmed',
          data: {
            n: count(1),
            k: count(0),
            paymentId: paymentOf(1, 0),
            amount: stroops(100_000_000n),
            ...inLedgerAt(closedAt),
            period: { start: boundary, end: on('2027-03-31') },
            anchor: { at: on('2027-01-31'), n: count(0) },
          },
        },
      ])
  })
  it('ignores the failure of another attempt once the period is paid', () => {
    const unpaid = paid()
    unpaid.pass(unixMs(boundary + minuteMs), () => 'balance_too_low')
    unpaid.give({ type: 'RequestRetry', cause: 'funded', at: closedAt })
    unpaid.wakeAt(closedAt, () => 'unknown')
    unpaid.give(confirmed(1, 0, closedAt))
    unpaid.give(failed(1, 1, 'balance_too_low', closedAt))
    expect(unpaid.history.at(-1)).toMatchObject({ type: 'ChargeFailed', data: { k: 1, counts: false, retryAt: null } })
    expect(unpaid.state).toMatchObject({ status: 'active', failedPaymentCount: 0, covered: { n: 1 } })
  })
  it('sets money aside when another attempt has paid for the period', () => {
    const recovered = paid()
    // Asked when it is attempted, and when it is handed over.
    let failures = 0
    recovered.pass(on('2027-03-01'), () => (failures++ < 2 ? 'balance_too_low' : 'confirmed'))
    given(recovered.history)
      .when(confirmed(1, 0, closedAt))
      .then([
        {
          type: 'PaymentSetAside',
          data: {
            n: count(1),
            paymentId: paymentOf(1, 0),
            amount: stroops(100_000_000n),
            ...inLedgerAt(closedAt),
            reason: 'paid_twice',
          },
        },
      ])
  })
  it('sets money aside when its period was forgiven or the subscription was canceled', () => {
    const forgiven = paid()
    forgiven.pass(on('2027-03-01'), () => 'no_trustline')
    forgiven.give({ type: 'RequestRetry', cause: 'cured', at: on('2027-04-02') })
    forgiven.wakeAt(on('2027-04-02'))
    forgiven.give(confirmed(1, 0, on('2027-04-03')))
    expect(forgiven.history.at(-1)).toMatchObject({ type: 'PaymentSetAside', data: { reason: 'period_forgiven' } })
    const canceled = paid()
    canceled.pass(boundary, () => 'unknown')
    canceled.give({ type: 'Cancel', when: 'now', at: boundary })
    canceled.give(confirmed(1, 0, closedAt))
    expect(canceled.history.at(-1)).toMatchObject({ type: 'PaymentSetAside', data: { reason: 'after_cancellation' } })
  })
})
