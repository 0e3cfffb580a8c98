import { stroops } from '../shared/stroops.ts'
import { count, unixMs } from '../shared/units.ts'
import { scenario } from '../testing/scenario.ts'
import { begun, confirmed, dayMs, mandateOf, monthly, on, paymentOf } from '../testing/subscription-examples.ts'
import { lifeOf } from '../testing/subscription-life.ts'
import { Subscription } from './index.ts'

const { given } = scenario(Subscription.decider)
const life = lifeOf(begun(on('2027-01-31')))
life.pass(on('2027-02-27'))
const boundary = on('2027-02-28')
const { mandateId } = life.state.authorization.mandate

/** The ledger holds a charge that the log knows nothing of. */
const recover = {
  type: 'RecoverAttempt',
  at: unixMs(boundary + dayMs),
  n: count(1),
  k: count(0),
  periodStart: boundary,
  paymentId: paymentOf(1, 0),
  mandateId,
  amount: stroops(100_000_000n),
} as const
const { type: _, periodStart: __, ...kept } = recover
const attempted = (changed: object = {}) => ({
  type: 'ChargeAttempted' as const,
  data: {
    ...kept,
    period: { start: boundary, end: on('2027-03-31') },
    price: monthly.price,
    rates: [],
    why: 'renewal' as const,
    ...changed,
  },
})
const handedOver = (paymentId = recover.paymentId) => ({
  type: 'ChargeHandedOver' as const,
  data: { paymentId, at: recover.at },
})

describe('recovering an attempt that the log has lost', () => {
  it('records the attempt of the period as handed over, so that it is not made again', () =>
    given(life.history).when(recover).then([attempted(), handedOver()]))
  it('records it once', () =>
    given([...life.history, attempted(), handedOver()])
      .when(recover)
      .then([]))
  it('records a retry whose first attempt is lost too', () => {
    const paymentId = paymentOf(1, 2)
    given(life.history)
      .when({ ...recover, k: count(2), paymentId })
      .then([attempted({ k: 2, paymentId, why: 'retry' }), handedOver(paymentId)])
  })
  it('forgives the periods before it that no ledger has brought', () => {
    const [start, paymentId] = [on('2027-04-30'), paymentOf(3, 0)]
    given(life.history)
      .when({ ...recover, n: count(3), periodStart: start, paymentId })
      .then([
        { type: 'PeriodsForgiven', data: { from: count(1), to: count(2), at: recover.at } },
        attempted({ n: 3, paymentId, period: { start, end: on('2027-05-31') } }),
        handedOver(paymentId),
      ])
  })
  it('counts a period that began outside of the schedule from its own start', () => {
    const periodStart = on('2027-03-10')
    given(life.history)
      .when({ ...recover, periodStart })
      .then([attempted({ period: { start: periodStart, end: on('2027-04-10') } }), handedOver()])
  })
  it('rejects a charge by another mandate than the one that counts', () => {
    const other = mandateOf(77, monthly, boundary).mandateId
    given(life.history)
      .when({ ...recover, mandateId: other })
      .rejects({ _tag: 'MandateMismatch', mandateId: other })
  })
  it('renews the subscription once the ledger confirms it', () => {
    const again = lifeOf(begun(on('2027-01-31')))
    again.pass(on('2027-02-27'))
    again.give(recover)
    again.give(confirmed(1, 0, recover.at))
    expect(again.state).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 1 }, nextN: 2 })
  })
})
