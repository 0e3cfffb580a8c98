import { stroops } from '../shared/stroops.ts'
import { count, hourMs, minuteMs, unixMs } from '../shared/units.ts'
import { scenario } from '../testing/scenario.ts'
import {
  authorizationOf,
  begun,
  confirmed,
  inLedgerAt,
  mandateOf,
  monthly,
  on,
  settled,
} from '../testing/subscription-examples.ts'
import { type Ends, type Life, lifeOf } from '../testing/subscription-life.ts'
import { dueAt, Subscription } from './index.ts'

const { given } = scenario(Subscription.decider)
const tenDollars = stroops(100_000_000n)
const noMoney: Ends = () => 'balance_too_low'
const living = (until: number, ends?: Ends, trialDays = 0): Life => {
  const life = lifeOf(begun(on('2027-01-31'), { trialDays }))
  life.pass(unixMs(until), ends)
  return life
}
const pausedAt = (life: Life): Life => {
  life.give({ type: 'Pause', at: life.now })
  return life
}
const resumed = (life: Life, at: number, ends?: Ends): Life => {
  life.give({ type: 'Resume', at: unixMs(at) })
  life.wakeAt(unixMs(at), ends)
  return life
}

describe('a paused subscription', () => {
  it('charges nothing while paused, however long that lasts', () => {
    const life = pausedAt(living(on('2027-02-20')))
    life.pass(on('2028-02-20'))
    expect(life.history.slice(-2)).toEqual([
      { type: 'Paused', data: { at: on('2027-02-20') } },
      { type: 'AccessEnded', data: { at: on('2027-02-28') } },
    ])
    expect(dueAt(life.state)).toBeNull()
  })
  it('keeps the money of a charge that was on its way when it was paused', () => {
    const life = pausedAt(living(on('2027-02-28'), () => 'unknown'))
    life.give(confirmed(1, 0, on('2027-02-28T12:01:00')))
    expect(life.state).toMatchObject({ status: 'paused', covered: { n: 1 } })
    expect(resumed(life, on('2027-03-10')).state.status).toBe('active')
  })
  it('owes nothing when a charge that was on its way fails after the pause', () => {
    const life = pausedAt(living(on('2027-02-28'), () => 'unknown'))
    life.give({
      type: 'FailCharge',
      paymentId: life.state.attempts[0]?.paymentId ?? confirmed(1, 0, life.now).paymentId,
      cause: 'balance_too_low',
      code: null,
      includedIn: null,
      at: life.now,
      policy: life.policy,
      jitter: 0,
    })
    expect(life.history.at(-1)).toMatchObject({ type: 'ChargeFailed', data: { counts: false, retryAt: null } })
    expect(life.state).toMatchObject({ status: 'paused', failedPaymentCount: 0, collection: { _tag: 'current' } })
  })
  it('withdraws an attempt that was not handed over before the pause', () => {
    const life = living(on('2027-02-27'))
    const at = on('2027-02-28')
    const attempt = { n: count(1), k: count(0), periodStart: at, why: 'renewal' as const }
    const { paymentId } = confirmed(1, 0, at)
    const price = { price: monthly.price, amount: tenDollars, rates: [] }
    life.give({ type: 'AttemptCharge', at, ...attempt, paymentId, ...price })
    life.give({ type: 'Pause', at })
    life.wakeAt(at)
    expect(life.history.at(-1)).toMatchObject({ type: 'ChargeFailed', data: { cause: 'not_sent', counts: false } })
  })
})

describe('resuming a subscription', () => {
  it('resumes in a paid period for free, up to its last millisecond', () => {
    const life = pausedAt(living(on('2027-02-20')))
    const last = unixMs(on('2027-02-28') - 1)
    given(life.history)
      .when({ type: 'Resume', at: last })
      .then([{ type: 'Resumed', data: { at: last, trial: null } }])
    given(life.history)
      .when({ type: 'Resume', at: on('2027-02-28') })
      .then([{ type: 'ResumeRequested', data: { at: on('2027-02-28') } }])
  })
  it('resumes the rest of a trial, to the next whole second, and anchors the paid periods there', () => {
    const life = living(on('2027-02-04'), undefined, 14)
    life.give({ type: 'Pause', at: unixMs(on('2027-02-04') + 1) })
    const at = unixMs(on('2027-03-01') + 500)
    const end = unixMs(on('2027-03-11') + 1000)
    given(life.history)
      .when({ type: 'Resume', at })
      .then([
        {
          type: 'Resumed',
          data: { at, trial: { period: { start: on('2027-01-31'), end }, anchor: { at: end, n: count(1) } } },
        },
      ])
    resumed(life, at)
    life.pass(unixMs(end + minuteMs))
    expect(life.state).toMatchObject({ status: 'active', covered: { n: 1, period: { start: end } } })
    expect(life.typesSince(0)).toContain('TrialEndAnnounced')
  })
  it('charges first when it resumes a trial that was over at the pause', () => {
    const life = living(on('2027-02-14T13:00:00'), () => 'no_rate', 14)
    expect(pausedAt(life).state.lifecycle).toMatchObject({ trialRestMs: null })
    resumed(life, on('2027-02-20'))
    expect(life.state).toMatchObject({ status: 'active', covered: { n: 1, period: { start: on('2027-02-20') } } })
  })
  it('charges one period from now, and anchors there, when the paid time is over', () => {
    const life = resumed(pausedAt(living(on('2027-02-20'))), on('2027-05-30T08:00:00'))
    expect(life.state).toMatchObject({
      status: 'active',
      covered: { n: 1, period: { start: on('2027-05-30T08:00:00'), end: on('2027-06-30T08:00:00') } },
      anchor: { at: on('2027-05-30T08:00:00'), n: 1 },
    })
  })
  it('stays paused when the charge to resume fails, and can try again', () => {
    const life = resumed(pausedAt(living(on('2027-03-05'), noMoney)), on('2027-03-10'), noMoney)
    expect(life.history.slice(-2)).toMatchObject([
      { type: 'ChargeFailed', data: { counts: false, retryAt: null } },
      { type: 'ResumeFailed', data: { cause: 'balance_too_low' } },
    ])
    expect(dueAt(life.state)).toBeNull()
    expect(resumed(life, on('2027-03-11')).state).toMatchObject({ status: 'active', failedPaymentCount: 0 })
  })
  it.each([
    ['allowance', 'allowance_expired'],
    ['mandate', 'no_trustline'],
  ] as const)(
    'a failed charge to resume asks the customer for a new %s after %s, until that is given',
    (kind, cause) => {
      const life = resumed(pausedAt(living(on('2027-03-05'), noMoney)), on('2027-03-10'), () => cause)
      expect(life.history.slice(-2)).toMatchObject([
        { type: 'ResumeFailed', data: { cause } },
        { type: 'AuthorizationRequested', data: { kind, why: 'charge_failed', at: life.now } },
      ])
      const { mandate, requested } = life.state.authorization
      const approval = { ...mandate.approval, approvedAt: life.now, allowance: stroops(500_000_000n) }
      const authorizationId = requested?.authorizationId ?? authorizationOf(0)
      const fresh = { authorizationId, mandate: mandateOf(501, monthly, on('2027-02-28')), ...inLedgerAt(life.now, 2) }
      life.give(
        kind === 'allowance'
          ? { type: 'RecordAllowance', mandateId: mandate.mandateId, approval }
          : { type: 'ReplaceMandate', ...fresh },
      )
      life.wakeAt(life.now)
      expect(life.state).toMatchObject({ status: 'paused', authorization: { missing: null, requested: null } })
      expect(resumed(life, on('2027-03-11')).state.status).toBe('active')
    },
  )
  it('retries a technical failure to resume after an hour', () => {
    const life = resumed(pausedAt(living(on('2027-03-05'), noMoney)), on('2027-03-10'), () => 'no_rate')
    life.pass(unixMs(on('2027-03-10') + 2 * hourMs), () => 'no_rate')
    const ofResuming = life.history.filter(({ type }) => type === 'ChargeDelayed' || type === 'ResumeFailed')
    expect(
      ofResuming.map(({ type, data }) => [type, 'at' in data ? (data.at - on('2027-03-10')) / minuteMs : 0]),
    ).toEqual([
      ['ChargeDelayed', 0],
      ['ChargeDelayed', 1],
      ['ChargeDelayed', 6],
      ['ResumeFailed', 36],
    ])
    expect(life.state.status).toBe('paused')
  })
  it('waits for a charge on its way before it resumes, and takes its money', () => {
    const life = pausedAt(living(on('2027-02-28'), () => 'unknown'))
    life.give({ type: 'Resume', at: on('2027-03-01') })
    life.wakeAt(on('2027-03-01'))
    life.give(confirmed(1, 0, on('2027-03-02')))
    expect(life.history.slice(-2)).toMatchObject([
      { type: 'ChargeConfirmed', data: { n: 1, period: { start: on('2027-02-28'), end: on('2027-03-31') } } },
      { type: 'Resumed', data: { at: on('2027-03-02'), trial: null } },
    ])
    expect(life.state.attempts).toHaveLength(1)
  })
  it('resumes when an invoice is paid meanwhile, and returns the money of the charge on its way', () => {
    const life = pausedAt(living(on('2027-03-16'), noMoney))
    resumed(life, on('2027-03-17'), () => 'unknown')
    life.give(settled(1, on('2027-03-18')))
    expect(life.state).toMatchObject({ status: 'active', covered: { n: 1, period: { end: on('2027-03-31') } } })
    life.give(confirmed(1, life.state.attempts.length - 1, on('2027-03-19')))
    expect(life.history.at(-1)).toMatchObject({ type: 'PaymentSetAside', data: { reason: 'paid_twice' } })
  })
})
