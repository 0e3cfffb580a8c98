import { defaultPolicy } from '../merchant/index.ts'
import { count, hourMs, minuteMs, positiveCount, unixMs } from '../shared/units.ts'
import { begun, daily, dayMs, invoiceOf, on, settled } from '../testing/subscription-examples.ts'
import { type Ends, type Life, lifeOf } from '../testing/subscription-life.ts'
import { invoiceEnd } from './index.ts'

const boundary = on('2027-02-28')
/** Charges fail five seconds after they are made. */
const since = boundary + 5000
const noMoney: Ends = () => 'balance_too_low'
const living = (until: number, ends: Ends, policy = defaultPolicy): Life => {
  const life = lifeOf(begun(on('2027-01-31')), policy)
  life.pass(unixMs(until), ends)
  return life
}
const hoursOf = (life: Life, type: string): ReadonlyArray<number> =>
  life.history.flatMap((event) => (event.type === type && 'at' in event.data ? [(event.data.at - since) / hourMs] : []))

describe('a renewal that fails for lack of money', () => {
  it('retries a renewal 6 hours, 1, 3, 5, 7, 10 and 14 days after the first failure, warns before the last, then is overdue', () => {
    const life = living(boundary + 20 * dayMs, noMoney)
    const [, ...retries] = hoursOf(life, 'ChargeAttempted')
    expect(retries).toEqual([6, 24, 72, 120, 168, 240, 336])
    expect(hoursOf(life, 'FinalNoticeGiven')).toEqual([312])
    const overdueAt = unixMs(since + 14 * dayMs + 5000)
    expect(life.history.at(-1)).toEqual({
      type: 'BecameOverdue',
      data: {
        invoice: {
          invoiceId: invoiceOf(1),
          n: 1,
          period: { start: boundary, end: on('2027-03-31') },
          dueAt: boundary,
          cancelAt: boundary + 30 * dayMs,
        },
        at: overdueAt,
      },
    })
    expect(life.state).toMatchObject({ status: 'overdue', failedPaymentCount: 8 })
  })
  it('retries at once when the wallet can pay, and keeps the schedule', () => {
    const life = living(boundary + 2 * dayMs, noMoney)
    life.give({ type: 'RequestRetry', cause: 'funded', at: life.now })
    life.wakeAt(life.now)
    expect(life.state).toMatchObject({
      status: 'active',
      failedPaymentCount: 0,
      covered: { n: 1, period: { start: boundary, end: on('2027-03-31') } },
    })
  })
  it('charges the current period, and forgives those that ended meanwhile', () => {
    const life = lifeOf(begun(on('2027-01-31'), { terms: daily }))
    life.pass(on('2027-02-05T11:00:00'), noMoney)
    life.pass(on('2027-02-07'))
    const attempts = life.history.flatMap(({ type, data }) => (type === 'ChargeAttempted' ? [data.n] : []))
    expect(attempts).toEqual([1, 1, 2, 4, 6, 7])
    expect(
      life.history.flatMap(({ type, data }) => (type === 'PeriodsForgiven' ? [[data.from, data.to]] : [])),
    ).toEqual([
      [1, 1],
      [2, 3],
      [4, 5],
    ])
    expect(life.state).toMatchObject({ status: 'active', anchor: { at: on('2027-01-31'), n: 0 } })
  })
  it('retries once after the worker missed several retries', () => {
    const life = living(since + hourMs, noMoney)
    const before = life.state.attempts.length
    life.wakeAt(unixMs(since + 6 * dayMs), noMoney)
    expect(life.state.attempts).toHaveLength(before + 1)
    expect(life.state.retryAt).toBe(since + 7 * dayMs)
  })
  it('waits for the next retry when one fails at the moment the previous one did', () => {
    const life = living(boundary + hourMs, noMoney)
    life.give({ type: 'RequestRetry', cause: 'demand', at: unixMs(since + 6 * hourMs - 5000) })
    const tried = life.state.attempts.length
    life.wakeAt(unixMs(since + 6 * hourMs - 5000), noMoney)
    expect(life.state.attempts).toHaveLength(tried + 1)
    expect(life.state.retryAt).toBe(since + dayMs)
  })
  it('a requested retry that could not be tried waits like any other', () => {
    const life = living(boundary + hourMs, noMoney)
    life.give({ type: 'RequestRetry', cause: 'demand', at: life.now })
    life.wakeAt(life.now, () => 'no_rate')
    expect(life.state).toMatchObject({ retryRequestedAt: null, retryAt: life.now + minuteMs })
  })
  it('is overdue at once with an empty schedule, and canceled if the policy says so', () => {
    const never = { ...defaultPolicy, dunningScheduleHours: [] }
    expect(living(boundary + hourMs, noMoney, never).state.status).toBe('overdue')
    const canceled = living(boundary + hourMs, noMoney, { ...never, afterRetries: 'cancel' as const })
    expect(canceled.state.lifecycle).toEqual({ _tag: 'canceled', at: since, reason: 'unpaid' })
  })
  it('gives the final notice after the second-to-last retry when the last two are within a day', () => {
    const policy = { ...defaultPolicy, dunningScheduleHours: [1, 5].map(positiveCount) }
    expect(hoursOf(living(boundary + dayMs, noMoney, policy), 'FinalNoticeGiven')).toEqual([1])
  })
  it('keeps access for the grace days after the first failure that counts', () => {
    const life = living(boundary + 5 * dayMs, noMoney, { ...defaultPolicy, accessGraceDays: count(3) })
    expect(life.state.collection).toMatchObject({ since, graceUntil: since + 3 * dayMs })
  })
})

describe('a renewal that fails for a hard cause', () => {
  const ends: Ends = () => 'no_trustline'
  it('asks for an authorization at once, checks every 6 hours, and is overdue after 3 days', () => {
    const life = living(boundary + 4 * dayMs, ends)
    expect(hoursOf(life, 'ChargeAttempted')).toHaveLength(1)
    expect(hoursOf(life, 'AuthorizationRequested')).toEqual([0])
    expect(hoursOf(life, 'ChargeDelayed')).toEqual([6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66])
    expect(hoursOf(life, 'FinalNoticeGiven')).toEqual([48])
    expect(hoursOf(life, 'BecameOverdue')).toEqual([72])
  })
  it('is not overdue a millisecond before the 3 days are over', () => {
    const life = living(boundary + dayMs, ends)
    const overdueAt = unixMs(since + 3 * dayMs)
    expect(life.give({ type: 'BecomeOverdue', invoiceId: invoiceOf(1), at: unixMs(overdueAt - 1) })).toEqual({
      _tag: 'NotDue',
      dueAt: overdueAt,
    })
    expect(life.give({ type: 'BecomeOverdue', invoiceId: invoiceOf(1), at: overdueAt })).toBeNull()
  })
  it('charges when a check finds the hard cause gone', () => {
    const life = living(boundary + dayMs, ends)
    life.pass(unixMs(boundary + 2 * dayMs))
    expect(life.state).toMatchObject({ status: 'active', failedPaymentCount: 0, authorization: { requested: null } })
  })
  it('counts the 3 days from the first of consecutive hard failures', () => {
    let charges = 0
    const life = living(boundary + 2 * dayMs, () => (charges++ < 2 ? 'balance_too_low' : 'allowance_too_low'))
    expect(life.state.collection).toMatchObject({ since, hardSince: since + 6 * hourMs + 5000 })
    life.give({ type: 'RequestRetry', cause: 'demand', at: life.now })
    life.wakeAt(life.now, () => 'allowance_too_low')
    expect(life.state.collection).toMatchObject({
      hardSince: since + 6 * hourMs + 5000,
      overdueAt: since + 6 * hourMs + 5000 + 3 * dayMs,
    })
  })
  it('returns to the retry schedule when only money is missing', () => {
    const life = living(boundary + dayMs, ends)
    life.give({ type: 'RequestRetry', cause: 'cured', at: life.now })
    life.wakeAt(life.now, noMoney)
    expect(life.state).toMatchObject({ retryAt: since + 3 * dayMs, collection: { hardSince: null, overdueAt: null } })
  })
})

describe('an invoice of a subscription', () => {
  const owing = (): Life => living(boundary + 16 * dayMs, noMoney)
  it('an invoice pays for its own period, on the schedule, while that lasts', () => {
    const life = owing()
    life.give(settled(1, on('2027-03-31T11:59:59')))
    expect(life.state).toMatchObject({
      status: 'active',
      covered: { n: 1, period: { start: boundary, end: on('2027-03-31') } },
      anchor: { at: on('2027-01-31'), n: 0 },
    })
  })
  it('an invoice pays for one period from its payment on, once its own is over', () => {
    const late = owing()
    late.give(settled(1, on('2027-03-31')))
    expect(late.state.covered.period).toEqual({ start: on('2027-03-31'), end: on('2027-04-30') })
    const life = lifeOf(begun(on('2027-01-31'), { terms: daily }))
    life.pass(on('2027-02-20'), noMoney)
    const n = life.state.nextN
    life.give(settled(n, on('2027-02-21T09:30:00')))
    expect(life.state).toMatchObject({
      status: 'active',
      covered: { n, period: { start: on('2027-02-21T09:30:00'), end: on('2027-02-22T09:30:00') } },
      anchor: { at: on('2027-02-21T09:30:00'), n },
    })
  })
  it('an unpaid invoice cancels the subscription 30 days after its due date', () => {
    const life = owing()
    life.pass(unixMs(boundary + 30 * dayMs - 1))
    expect(life.state.status).toBe('overdue')
    life.pass(unixMs(boundary + 30 * dayMs))
    expect(life.state.lifecycle).toEqual({ _tag: 'canceled', at: boundary + 30 * dayMs, reason: 'unpaid' })
  })
  it('an invoice stays payable for at least a day, however late it was made', () => {
    const life = living(since + 13 * dayMs, noMoney)
    life.wakeAt(unixMs(boundary + 90 * dayMs), noMoney)
    const { collection } = life.state
    expect(collection).toMatchObject({ _tag: 'invoiced', invoice: { cancelAt: life.now + dayMs } })
  })
  it('the mandate charges an invoice for one period from then on, once its own is over', () => {
    const life = lifeOf(begun(on('2027-01-31'), { terms: daily }))
    life.pass(on('2027-02-20'), noMoney)
    const at = on('2027-02-21T09:30:00')
    life.give({ type: 'RequestRetry', cause: 'demand', at })
    life.wakeAt(at)
    expect(life.state).toMatchObject({
      status: 'active',
      covered: { period: { start: at, end: on('2027-02-22T09:30:00') } },
      anchor: { at },
    })
  })
  it('the mandate charges an invoice once on request, and the invoice stays open if that fails', () => {
    const life = owing()
    const before = life.state.attempts.length
    life.give({ type: 'RequestRetry', cause: 'demand', at: life.now })
    life.wakeAt(life.now, noMoney)
    expect(life.state).toMatchObject({ status: 'overdue', retryAt: null, failedPaymentCount: 9 })
    expect(life.state.attempts).toHaveLength(before + 1)
  })
})

describe('when an invoice is payable', () => {
  const overdue = (): Life => living(boundary + 20 * dayMs, noMoney)
  const endOf = ({ state }: Life, n = 1) => invoiceEnd(state, invoiceOf(n))
  it('an invoice is payable while it is owed, under its own id only', () => {
    expect(endOf(overdue())).toBeNull()
    expect(endOf(overdue(), 2)).toBe('not_owed')
    expect(invoiceEnd({ status: 'absent' }, invoiceOf(1))).toBe('not_owed')
  })
  it('an invoice stays payable while the subscription is paused', () => {
    const life = overdue()
    life.give({ type: 'Pause', at: life.now })
    expect(endOf(life)).toBeNull()
  })
  it('an invoice is payable until a charge has paid for its period', () => {
    const life = overdue()
    life.give({ type: 'RequestRetry', cause: 'demand', at: life.now })
    life.pass(unixMs(life.now + hourMs))
    expect(endOf(life)).toBe('paid_otherwise')
  })
  it('an invoice is payable until the subscription is canceled', () => {
    const life = overdue()
    life.give({ type: 'Cancel', when: 'now', at: life.now })
    expect(endOf(life)).toBe('not_owed')
  })
  it('an invoice is payable until it is paid, and its own session then says so', () => {
    const life = overdue()
    life.give(settled(1, life.now))
    expect(life.state.status).toBe('active')
    expect(endOf(life)).toBeNull()
  })
})
