import { defaultPolicy, type RatesAfter } from '../merchant/index.ts'
import { stroops } from '../shared/stroops.ts'
import { hourMs, type UnixMs, unixMs } from '../shared/units.ts'
import {
  attemptOf,
  begun,
  confirmed,
  daily,
  dayMs,
  invoiceOf,
  monthly,
  on,
  settled,
} from '../testing/subscription-examples.ts'
import { type Ends, type Life, lifeOf } from '../testing/subscription-life.ts'
import { accessEndsAt, dueAt, entitlementAt, unsettledAt } from './index.ts'
import { chargeAt } from './next-charge.ts'

const boundary = on('2027-02-28')
const week = unixMs(boundary + 7 * dayMs)
/** Attempts come hourly by then. */
const applied = unixMs(week + hourMs)
const noRate: Ends = () => 'no_rate'
const choices: ReadonlyArray<RatesAfter> = ['charge_at_peg', 'invoice', 'pause']

const living = (ratesAfter: RatesAfter, until: UnixMs, ends: Ends = noRate, terms = monthly): Life => {
  const life = lifeOf(begun(on('2027-01-31'), { terms }), { ...defaultPolicy, ratesAfter })
  life.pass(until, ends)
  return life
}
const isServed = ({ state }: Life, at: UnixMs): boolean => entitlementAt(state, at, at) !== null
const last = ({ history }: Life) => history.findLast(({ type }) => type === 'BecameOverdue' || type === 'Paused')
const endedAt = (life: Life): UnixMs => {
  const ended = last(life)
  if (ended?.type !== 'BecameOverdue' && ended?.type !== 'Paused') throw new Error('it did not end')
  return ended.data.at
}
const invoice = (at: UnixMs) => ({
  invoiceId: invoiceOf(1),
  n: 1,
  period: { start: boundary, end: on('2027-03-31') },
  dueAt: boundary,
  cancelAt: unixMs(at + 30 * dayMs),
})

describe('a charge that no attempt can settle', () => {
  it.each(choices)('changes nothing before the week is over, where the merchant chose %s', (choice) => {
    const life = living(choice, unixMs(week - 1))
    expect([life.state.status, unsettledAt(life.state), isServed(life, life.now)]).toEqual(['active', week, true])
    expect(last(life)).toBeUndefined()
  })
  it('is invoiced after a week, and gives no access then', () => {
    const life = living('invoice', applied)
    const at = endedAt(life)
    expect(at - week).toBeLessThan(hourMs)
    expect(last(life)).toEqual({ type: 'BecameOverdue', data: { invoice: invoice(at), at, unsettled: 'no_rate' } })
    expect([life.state.status, accessEndsAt(life.state)]).toEqual(['overdue', null])
  })
  it('pauses the subscription after a week, and counts the period that has begun as lost', () => {
    const life = living('pause', applied)
    const at = endedAt(life)
    const lost = { periods: 1, price: monthly.price }
    expect(last(life)).toEqual({ type: 'Paused', data: { at, unsettled: 'no_rate', lost } })
    expect([life.state.status, accessEndsAt(life.state), dueAt(life.state)]).toEqual(['paused', null, null])
  })
  it('is charged at the last agreed rates after a week, for the period that was due', () => {
    const life = living('charge_at_peg', applied)
    expect(life.history.find(({ type }) => type === 'ChargeAttempted')).toMatchObject({
      data: { n: 1, agreedRates: [] },
    })
    expect(life.state).toMatchObject({ status: 'active', covered: { period: { start: boundary } } })
    expect(isServed(life, life.now)).toBe(true)
  })
  it('is charged at the agreed rates at once for later periods of the same outage, so that one week is lost and not each', () => {
    const life = living('charge_at_peg', on('2027-05-12'), noRate, daily)
    const lost = life.history.flatMap((event) => (event.type === 'PeriodsForgiven' ? [event.data.lost?.periods] : []))
    expect(lost).toEqual([7])
    expect(life.history.filter(({ type }) => type === 'ChargeConfirmed')).toHaveLength(93)
    life.pass(on('2027-05-13T13:00:00'), () => 'confirmed')
    expect(life.state.attempts.at(-1)?.agreedRates).toBeUndefined()
  })
  it('follows the policy too where attempts are made and fail for technical causes', () => {
    const life = living('invoice', unixMs(week + 3 * hourMs), () => 'transaction_dead')
    expect(last(life)).toMatchObject({ type: 'BecameOverdue', data: { unsettled: 'charge_failed' } })
  })
  it('is invoiced where the agreed rates do not help either, and is still tried at them', () => {
    let end: ReturnType<Ends> = 'transaction_dead'
    const life = lifeOf(begun(on('2027-01-31')), { ...defaultPolicy, ratesAfter: 'charge_at_peg' })
    life.pass(unixMs(week + 3 * hourMs), () => end)
    expect(last(life)).toMatchObject({ type: 'BecameOverdue', data: { unsettled: 'charge_failed' } })
    end = 'no_rate'
    life.pass(unixMs(week + 5 * hourMs), () => end)
    expect(life.history.findLast(({ type }) => type === 'ChargeAttempted')?.data).toMatchObject({ agreedRates: [] })
    expect(life.state.status).toBe('active')
  })
  it('is tried for a day at least, after whatever time without a worker', () => {
    const life = lifeOf(begun(on('2027-01-31')))
    const woken = unixMs(boundary + 100 * dayMs)
    life.wakeAt(woken, noRate)
    expect(unsettledAt(life.state)).toBe(woken + dayMs)
    life.pass(unixMs(woken + dayMs - 1), noRate)
    expect(life.state.status).toBe('active')
    life.pass(unixMs(woken + dayMs + hourMs), noRate)
    expect(life.state.status).toBe('overdue')
  })
  it('forgives whole periods before the invoiced one as lost', () => {
    const life = living('invoice', on('2027-02-09'), noRate, daily)
    expect(life.history.find(({ type }) => type === 'PeriodsForgiven')?.data).toMatchObject({
      from: 1,
      to: 7,
      lost: { periods: 7, price: daily.price },
    })
    expect(life.state.collection).toMatchObject({ _tag: 'invoiced', invoice: { n: 8 } })
  })
})

describe('an invoice for what no attempt could settle', () => {
  it('is charged by the mandate as soon as there is a rate', () => {
    const life = living('invoice', on('2027-03-10'))
    life.pass(on('2027-03-10T14:00:00'))
    expect(life.state).toMatchObject({ status: 'active', covered: { period: { start: boundary } }, trouble: null })
  })
  it('can be paid by hand meanwhile', () => {
    const life = living('invoice', on('2027-03-10'))
    life.give(settled(1, on('2027-03-10')))
    expect(life.state).toMatchObject({ status: 'active', covered: { period: { start: boundary } }, trouble: null })
  })
  it('is not canceled while no attempt can be made, and stays payable for a week after the first that is', () => {
    const life = living('invoice', unixMs(boundary + 100 * dayMs))
    expect(life.state.status).toBe('overdue')
    const back = life.now
    life.pass(unixMs(back + 6 * dayMs), () => 'balance_too_low')
    expect([life.state.status, life.state.failedPaymentCount]).toEqual(['overdue', 1])
    life.pass(unixMs(back + 8 * dayMs))
    expect(life.history.find(({ type }) => type === 'SubscriptionCanceled')?.data).toMatchObject({
      reason: 'unpaid',
      lost: { periods: 1, price: monthly.price },
    })
  })
  it('counts the periods as lost that passed before it could be paid', () => {
    const life = living('invoice', on('2027-06-10'))
    life.pass(on('2027-06-10T14:00:00'))
    expect(life.state.status).toBe('active')
    expect(life.history.find(({ type }) => type === 'ChargeConfirmed')?.data).toMatchObject({
      n: 1,
      lost: { periods: 3, price: monthly.price },
    })
  })
})

describe('agreed rates', () => {
  const answer = (at: UnixMs, amount = 100_000_000n) => {
    const { state, give } = living('charge_at_peg', unixMs(at - 3 * hourMs))
    const attempt = attemptOf(chargeAt(state, at), at)
    return give({ ...attempt, amount: stroops(amount), rates: [], agreedRates: [] })
  }
  it('count for no charge before the week is over', () =>
    expect(answer(unixMs(week - hourMs))).toEqual({ _tag: 'OtherPriceCounts' }))
  it('count up to the cap of the mandate, and not above it', () => {
    expect(answer(applied, 110_000_000n)).toBeNull()
    expect(answer(applied, 110_000_001n)).toEqual({ _tag: 'OtherPriceCounts' })
  })
})

it('changes nothing for a customer who was charged in time', () => {
  const life = living('pause', boundary, () => 'confirmed')
  life.pass(week)
  expect(life.give(confirmed(1, 0, week))).toBeNull()
  expect([life.state.status, unsettledAt(life.state)]).toEqual(['active', null])
})
