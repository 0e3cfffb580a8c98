import { defaultPolicy } from '../merchant/index.ts'
import { count, type UnixMs, unixMs } from '../shared/units.ts'
import { begun, dayMs, on } from '../testing/subscription-examples.ts'
import { type Ends, type Life, lifeOf } from '../testing/subscription-life.ts'
import { entitlementAt } from './index.ts'

const boundary = on('2027-02-28')
const living = (until: number, ends?: Ends, given: { trialDays?: number; accessGraceDays?: number } = {}): Life => {
  const life = lifeOf(begun(on('2027-01-31'), given), {
    ...defaultPolicy,
    accessGraceDays: count(given.accessGraceDays ?? 0),
  })
  life.pass(unixMs(until), ends)
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
