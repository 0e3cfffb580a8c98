import fc from 'fast-check'
import { count, positiveCount, secondMs, unixMs } from '../shared/units.ts'
import { on } from '../testing/subscription-examples.ts'
import { indexAt, periodOf, startOf } from './period.ts'
import type { Anchor, Cycle } from './terms.ts'

const months = (intervalCount: number): Cycle => ({ interval: 'month', intervalCount: positiveCount(intervalCount) })
const from = (text: string, n = 0): Anchor => ({ at: on(text), n: count(n) })
const starts = (anchor: Anchor, cycle: Cycle, length: number): ReadonlyArray<string> =>
  Array.from({ length }, (_, index) => new Date(startOf(anchor, cycle, anchor.n + index)).toISOString().slice(0, 10))

describe('the periods of a subscription', () => {
  it('clamps a period to the end of a short month, and restores the day afterwards', () =>
    expect(starts(from('2027-01-31'), months(1), 5)).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
    ]))
  it('reaches the 29th of February in leap years only', () =>
    expect(starts(from('2024-02-29'), { interval: 'year', intervalCount: positiveCount(1) }, 5)).toEqual([
      '2024-02-29',
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ]))
  it('keeps the time of day in UTC across clock changes', () =>
    expect(startOf(from('2026-03-28T01:30:00'), { interval: 'day', intervalCount: positiveCount(1) }, 1)).toBe(
      on('2026-03-29T01:30:00'),
    ))
  it('counts periods from the number of the anchor', () =>
    expect(periodOf(from('2027-01-31', 7), months(3), 8)).toEqual({ start: on('2027-04-30'), end: on('2027-07-31') }))
  it('has no periods before the anchor', () =>
    expect(() => startOf(from('2027-01-31', 7), months(1), 6)).toThrow(RangeError))
  it.each([
    ['2027-02-28T11:59:59', 0],
    ['2027-02-28T12:00:00', 1],
    ['2027-03-31T11:59:59', 1],
    ['2027-03-31T12:00:00', 2],
    ['2026-01-01T00:00:00', 0],
  ])('puts %s in period %i: each boundary belongs to the later period', (text, n) =>
    expect(indexAt(from('2027-01-31'), months(1), on(text))).toBe(n),
  )
})

const anyCycle: fc.Arbitrary<Cycle> = fc.record(
  {
    interval: fc.constantFrom('day', 'week', 'month', 'year'),
    intervalCount: fc.integer({ min: 1, max: 14 }).map(positiveCount),
  },
  { noNullPrototype: true },
)
const anyAnchor: fc.Arbitrary<Anchor> = fc.record(
  {
    at: fc.integer({ min: 1_500_000_000, max: 2_500_000_000 }).map((seconds) => unixMs(seconds * secondMs)),
    n: fc.nat({ max: 400 }).map(count),
  },
  { noNullPrototype: true },
)

describe('any anchor and cycle', () => {
  it('makes periods of whole seconds without gap or overlap for any anchor and cycle', () =>
    fc.assert(
      fc.property(anyAnchor, anyCycle, fc.nat({ max: 120 }), (anchor, cycle, after) => {
        const { start, end } = periodOf(anchor, cycle, anchor.n + after)
        expect(start).toBeLessThan(end)
        expect(periodOf(anchor, cycle, anchor.n + after + 1).start).toBe(end)
        expect(start % secondMs).toBe(0)
      }),
    ))
  it('finds the period of each moment for any anchor and cycle', () =>
    fc.assert(
      fc.property(anyAnchor, anyCycle, fc.nat({ max: 400_000_000 }), (anchor, cycle, seconds) => {
        const at = unixMs(anchor.at + seconds * secondMs)
        const { start, end } = periodOf(anchor, cycle, indexAt(anchor, cycle, at))
        expect(start).toBeLessThanOrEqual(at)
        expect(at).toBeLessThan(end)
      }),
    ))
  it('keeps the anchor’s day of the month, or the last day where the month is shorter', () =>
    fc.assert(
      fc.property(anyAnchor, fc.integer({ min: 1, max: 6 }), fc.nat({ max: 200 }), (anchor, intervalCount, after) => {
        const start = new Date(startOf(anchor, months(intervalCount), anchor.n + after))
        const lastDay = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate()
        expect(start.getUTCDate()).toBe(Math.min(new Date(anchor.at).getUTCDate(), lastDay))
      }),
    ))
})
