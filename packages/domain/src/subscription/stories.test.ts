import { begun, confirmed, daily, dayMs, on, paymentOf, settled } from '../testing/subscription-examples.ts'
import { type Ends, type Life, lifeOf } from '../testing/subscription-life.ts'
import { dueAt } from './index.ts'

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
/** The periods that were paid by charges: number, first and last day. */
const periodsPaid = ({ history }: Life) =>
  history.flatMap((event) =>
    event.type === 'ChargeConfirmed' ? [[event.data.n, day(event.data.period.start), day(event.data.period.end)]] : [],
  )
const noMoney: Ends = () => 'balance_too_low'

describe('failures of other billing systems that this one avoids', () => {
  it('keeps the 31st after February', () => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on('2027-06-01'))
    expect(periodsPaid(life)).toEqual([
      [1, '2027-02-28', '2027-03-31'],
      [2, '2027-03-31', '2027-04-30'],
      [3, '2027-04-30', '2027-05-31'],
      [4, '2027-05-31', '2027-06-30'],
    ])
  })

  it('gives a first period of one month, not two, after a trial', () => {
    const life = lifeOf(begun(on('2027-01-17'), { trialDays: 14 }))
    expect(life.state.covered).toEqual({
      kind: 'trial',
      n: 0,
      period: { start: on('2027-01-17'), end: on('2027-01-31') },
      paidAt: null,
    })
    life.pass(on('2027-04-01'))
    expect(periodsPaid(life)).toEqual([
      [1, '2027-01-31', '2027-02-28'],
      [2, '2027-02-28', '2027-03-31'],
      [3, '2027-03-31', '2027-04-30'],
    ])
  })

  it('never silently stops billing an account', () => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on('2027-03-10'), () => 'no_rate')
    expect(life.state.status).toBe('overdue')
    expect(dueAt(life.state)).not.toBeNull()
    const alarms = life.history.flatMap(({ type, data }) => (type === 'OperatorAlarmed' ? [data.at] : []))
    expect(alarms.map(day)).toEqual(Array.from({ length: 10 }, (_, index) => day(on('2027-03-01') + index * dayMs)))
    life.pass(on('2027-03-11'))
    expect(periodsPaid(life)).toEqual([[1, '2027-02-28', '2027-03-31']])
  })

  it('does not bill all missed periods at once after downtime', () => {
    const life = lifeOf(begun(on('2027-01-31'), { terms: daily }))
    life.wakeAt(on('2027-05-01T15:00:00'))
    expect(periodsPaid(life)).toEqual([[90, '2027-05-01', '2027-05-02']])
    expect(life.history.find(({ type }) => type === 'PeriodsForgiven')).toEqual({
      type: 'PeriodsForgiven',
      data: { from: 1, to: 89, at: on('2027-05-01T15:00:00'), lost: { periods: 89, price: daily.price } },
    })
  })

  it('does not announce active and then past due', () => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on('2027-02-27'))
    const before = life.history.length
    life.pass(on('2027-03-01T13:00:00'), noMoney)
    // Nothing says that it was renewed before the charge was confirmed, and the charge that failed is never confirmed.
    expect(life.typesSince(before)).toEqual([
      'ChargeAttempted',
      'ChargeHandedOver',
      'ChargeFailed',
      'ChargeAttempted',
      'ChargeHandedOver',
      'ChargeFailed',
      'ChargeAttempted',
      'ChargeHandedOver',
      'ChargeFailed',
    ])
    expect(life.state.status).toBe('past_due')
    expect(life.state.covered).toEqual({
      kind: 'paid',
      n: 0,
      period: { start: on('2027-01-31'), end: on('2027-02-28') },
      paidAt: on('2027-01-31'),
    })
  })

  it('does not let a pause overlap an invoice', () => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on('2027-03-16'), noMoney)
    expect(life.state.status).toBe('overdue')
    life.give({ type: 'Pause', at: on('2027-03-16') })
    // Nothing runs on while it is paused, and the invoice can still be paid.
    expect(dueAt(life.state)).toBeNull()
    life.give(settled(1, on('2027-03-20')))
    expect(life.state.status).toBe('paused')
    expect(life.state.covered).toEqual({
      kind: 'paid',
      n: 1,
      period: { start: on('2027-02-28'), end: on('2027-03-31') },
      paidAt: on('2027-03-20'),
    })
    life.give({ type: 'Resume', at: on('2027-03-21') })
    expect(life.state.status).toBe('active')
    life.pass(on('2027-04-01'))
    expect(periodsPaid(life)).toEqual([[2, '2027-03-31', '2027-04-30']])
  })

  it('does not keep two payments for a period, by an invoice and by a charge in flight', () => {
    const life = lifeOf(begun(on('2027-01-31')))
    life.pass(on('2027-03-16'), noMoney)
    life.give({ type: 'RequestRetry', cause: 'demand', at: life.now })
    life.wakeAt(life.now, () => 'unknown')
    life.give(settled(1, on('2027-03-17')))
    const k = life.state.attempts.length - 1
    const before = life.history.length
    life.give(confirmed(1, k, on('2027-03-18')))
    expect(life.history.slice(before)).toMatchObject([
      { type: 'PaymentSetAside', data: { n: 1, paymentId: paymentOf(1, k), reason: 'paid_twice' } },
    ])
    expect(life.state.status).toBe('active')
  })
})
