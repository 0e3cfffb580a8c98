import { readFileSync } from 'node:fs'
import type { RecurringPeriod } from '../product/index.ts'
import { count, positiveCount, secondMs, unixMs } from '../shared/units.ts'
import { contractEnd, contractNext } from '../testing/contract-calendar.ts'
import { startOf } from './period.ts'
import type { Anchor, Cycle } from './terms.ts'

const file = new URL('../../../../contracts/mandate/vectors/calendar.generated.json', import.meta.url)
const {
  columns,
  rows,
}: { readonly columns: ReadonlyArray<string>; readonly rows: ReadonlyArray<ReadonlyArray<number>> } = JSON.parse(
  readFileSync(file, 'utf8'),
)
const units: ReadonlyArray<RecurringPeriod> = ['day', 'week', 'month', 'year']

const vectors = rows.map((row) => {
  const cell = (column: string): number => row[columns.indexOf(column)] ?? Number.NaN
  const interval = units[cell('interval_unit') - 1]
  if (interval === undefined) throw new RangeError('the vectors have another unit')
  const cycle: Cycle = { interval, intervalCount: positiveCount(cell('interval_count')) }
  const moment = (column: string) => unixMs(cell(column) * secondMs)
  return { start: moment('start'), cycle, next: moment('next'), end: moment('end') }
})

/** Anchors on the 28th to the 31st of every month of eight years, at a time of day of their own. */
const monthEnds: ReadonlyArray<Anchor> = Array.from({ length: 8 * 12 }, (_, month) =>
  [28, 29, 30, 31]
    .map((day) => new Date(Date.UTC(2026, month, day, month % 24, (7 * month) % 60, day)))
    .filter((date) => date.getUTCMonth() === month % 12)
    .map((date) => ({ at: unixMs(date.getTime()), n: count(0) })),
).flat()

describe('the contract’s calendar', () => {
  it('agrees with the test vectors of the contract’s calendar', () =>
    expect(vectors.map(({ start, cycle }) => [contractNext(start, cycle), contractEnd(start, cycle)])).toEqual(
      vectors.map(({ next, end }) => [next, end]),
    ))
  it('computes the same next period from an anchor as the contract', () =>
    expect(vectors.map(({ start, cycle }) => startOf({ at: start, n: count(0) }, cycle, 1))).toEqual(
      vectors.map(({ next }) => next),
    ))
  it.each(units)(
    'the contract accepts each of our periods, by %s, from every month’s last days, over eight years',
    (interval) => {
      const cycles = [1, 3].map((intervalCount) => ({ interval, intervalCount: positiveCount(intervalCount) }))
      const refused = monthEnds.flatMap((anchor) =>
        cycles.flatMap((cycle) => {
          const starts = Array.from({ length: 14 }, (_, n) => startOf(anchor, cycle, n))
          return starts.slice(1).filter((next, n) => {
            const start = starts[n] ?? next
            return next < contractNext(start, cycle) || next > contractEnd(start, cycle)
          })
        }),
      )
      // A common year has 41 such days, and two of the eight have one more.
      expect(monthEnds).toHaveLength(8 * 41 + 2)
      expect(refused).toEqual([])
    },
  )
})
