import { defaultPolicy } from '../merchant/index.ts'
import { count, hourMs, type UnixMs, unixMs } from '../shared/units.ts'
import { allowed, begun, daily, dayMs, failed, inLedgerAt, on } from '../testing/subscription-examples.ts'
import { type Ends, type Life, lifeOf } from '../testing/subscription-life.ts'
import { accessEndsAt, entitlementAt } from './index.ts'

const boundary = on('2027-02-28')
const living = (until: number, ends?: Ends, given: { trialDays?: number; accessGraceDays?: number } = {}): Life => {
  const life = lifeOf(begun(on('2027-01-31'), given), {
    ...defaultPolicy,
    accessGraceDays: count(given.accessGraceDays ?? 0),
  })
  life.pass(unixMs(until), ends)
  return life
}
const pausedAt = (life: Life): Life => {
  life.give({ type: 'Pause', at: life.now })
  return life
}
const before = (at: number): UnixMs => unixMs(at - 1)
/** As it is asked at the time itself, or ahead of it. */
const asked = ({ state }: Life, at: UnixMs, now: UnixMs = at) => entitlementAt(state, at, now)

describe('the entitlement of a subscription', () => {
  it('entitles during the trial and the paid period', () => {
    const trial = living(on('2027-02-10'), undefined, { trialDays: 14 })
    const end = on('2027-02-14')
    expect(asked(trial, trial.now)).toEqual({ status: 'trialing', until: end, graceUntil: null })
    const paid = living(on('2027-02-10'))
    expect(asked(paid, before(boundary))).toEqual({ status: 'active', until: boundary, graceUntil: null })
  })
  it('entitles with no known end while a renewal is decided, but not to later periods', () => {
    const life = living(boundary, () => 'unknown')
    expect(asked(life, unixMs(boundary + dayMs))).toEqual({ status: 'active', until: null, graceUntil: null })
    expect(asked(life, boundary, before(boundary))).toBeNull()
    expect(asked(life, before(boundary), on('2027-02-10'))).toMatchObject({ until: boundary })
  })
  it.each<[string, (end: number) => Life]>([
    ['nobody works', () => living(before(boundary))],
    ['the outcome of the charge is unknown', (end) => living(end, () => 'unknown')],
    ['no charge can be made', (end) => living(end, () => 'no_rate')],
    ['charges fail for technical causes', (end) => living(end, () => 'transaction_dead')],
  ])('ends seven days after the period at the latest while %s', (_, life) => {
    const end = unixMs(boundary + 7 * dayMs)
    expect(asked(life(before(end)), before(end))).toEqual({ status: 'active', until: null, graceUntil: null })
    expect([asked(life(end), end), asked(life(end + dayMs), unixMs(end + dayMs))]).toEqual([null, null])
  })
  it('ends an hour after the period where attempts are stopped, until a person allows them', () => {
    const life = living(before(boundary))
    life.wakeAt(boundary, () => 'unknown')
    for (let k = 0; k < 3; k++) {
      life.give({ ...failed(1, k, 'contract_refused', life.now), includedIn: inLedgerAt(life.now).ledger })
      life.pass(unixMs(life.now + hourMs), () => 'unknown')
    }
    expect(life.history.at(-1)?.type).toBe('AccessEnded')
    expect(life.typesSince(0)).toContain('AttemptsStopped')
    expect(asked(life, before(boundary + hourMs))).toMatchObject({ until: null })
    expect(asked(life, unixMs(boundary + hourMs))).toBeNull()
    life.give(allowed(life.now))
    expect(asked(life, life.now)).toMatchObject({ until: null })
  })
  it('does not begin again with days of grace after it has ended', () => {
    const life = living(before(boundary), undefined, { accessGraceDays: 2 })
    life.wakeAt(unixMs(boundary + 20 * dayMs), () => 'balance_too_low')
    expect([life.state.status, asked(life, life.now)]).toEqual(['past_due', null])
  })
  it.each<[string, () => Life, UnixMs]>([
    ['paused', () => pausedAt(living(on('2027-02-10'))), boundary],
    [
      'in its days of grace',
      () => living(boundary + dayMs, () => 'balance_too_low', { accessGraceDays: 2 }),
      unixMs(boundary + 5000 + 2 * dayMs),
    ],
    ['undecided', () => living(boundary, () => 'unknown'), unixMs(boundary + 7 * dayMs)],
  ])('records once that time has ended the access of a subscription that is %s', (_, make, end) => {
    const life = make()
    life.pass(unixMs(end + 5 * dayMs), () => 'unknown')
    expect(life.history.filter(({ type }) => type === 'AccessEnded')).toEqual([
      { type: 'AccessEnded', data: { at: end } },
    ])
  })
  it('entitles up to the boundary of a cancellation, even before that is recorded', () => {
    const life = living(on('2027-02-10'))
    life.give({ type: 'Cancel', when: 'period_end', at: life.now })
    expect(asked(life, before(boundary))).toMatchObject({ status: 'active', until: boundary })
    expect(asked(life, boundary)).toBeNull()
    life.pass(boundary)
    expect(asked(life, before(boundary))).toBeNull()
  })
  it('does not entitle once a payment is owed, except in the days of grace', () => {
    const none = living(boundary + dayMs, () => 'balance_too_low')
    expect(asked(none, none.now)).toBeNull()
    const graceUntil = unixMs(boundary + 5000 + 2 * dayMs)
    for (const until of [boundary + dayMs, boundary + 15 * dayMs]) {
      const life = living(until, () => 'balance_too_low', { accessGraceDays: 2 })
      expect(asked(life, before(graceUntil))).toEqual({ status: 'active', until: graceUntil, graceUntil })
      expect(asked(life, graceUntil)).toBeNull()
    }
  })
  it('gives days of grace longer than a period once for a debt, and charges no period that began and ended in them', () => {
    const life = lifeOf(begun(on('2027-01-31'), { terms: daily }), { ...defaultPolicy, accessGraceDays: count(3) })
    const [due, owed] = [on('2027-02-01'), on('2027-02-01') + 5000]
    life.pass(unixMs(due + 2 * dayMs), () => 'balance_too_low')
    expect(life.state).toMatchObject({ status: 'past_due', failedPaymentCount: 3 })
    const graceUntil = unixMs(owed + 3 * dayMs)
    for (const at of [life.now, before(graceUntil)])
      expect(asked(life, at)).toEqual({ status: 'active', until: graceUntil, graceUntil })
    expect(asked(life, graceUntil)).toBeNull()
    life.pass(unixMs(due + 3 * dayMs + hourMs))
    expect(life.state).toMatchObject({
      status: 'active',
      covered: { kind: 'paid', period: { start: due + 3 * dayMs } },
    })
    const confirmed = life.history.filter(({ type }) => type === 'ChargeConfirmed')
    expect(confirmed).toHaveLength(1)
  })
  it('entitles up to the time at which access ends by itself, and to nothing after it, whatever the status is', () => {
    const lives = [
      living(on('2027-02-10')),
      living(boundary + dayMs, () => 'unknown'),
      living(boundary + 6 * dayMs, () => 'no_rate'),
      living(boundary + 9 * dayMs, () => 'no_rate'),
      living(boundary + dayMs, () => 'balance_too_low', { accessGraceDays: 2 }),
      living(boundary + dayMs, () => 'balance_too_low'),
      pausedAt(living(on('2027-02-10'))),
    ]
    const ended = lives.map((life) => {
      const end = accessEndsAt(life.state)
      if (end === null) return [life.state.status, asked(life, life.now) !== null]
      return [life.state.status, asked(life, before(end)) !== null, asked(life, end) !== null]
    })
    expect(ended).toEqual([
      ['active', true, false],
      ['active', true, false],
      ['active', true, false],
      ['overdue', false],
      ['past_due', true, false],
      ['past_due', false],
      ['paused', true, false],
    ])
  })
  it('entitles a paused subscription to the end of its paid time, but not of its trial', () => {
    const paid = living(on('2027-02-10'))
    paid.give({ type: 'Pause', at: paid.now })
    expect(asked(paid, before(boundary))).toEqual({ status: 'paused', until: boundary, graceUntil: null })
    expect(asked(paid, boundary)).toBeNull()
    const trial = living(on('2027-02-10'), undefined, { trialDays: 14 })
    trial.give({ type: 'Pause', at: trial.now })
    expect(asked(trial, trial.now)).toBeNull()
  })
})
