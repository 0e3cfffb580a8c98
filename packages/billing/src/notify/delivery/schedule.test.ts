import { hourMs, minuteMs, secondMs, unixMs } from '@quittance/domain'
import fc from 'fast-check'
import { nextAttempt } from './schedule.ts'

const start = unixMs(1_793_491_200_000)
const dayMs = 24 * hourMs
const schedule = [5 * secondMs, 5 * minuteMs, 30 * minuteMs, ...[2, 5, 10, 14, 20, 24, 24].map((each) => each * hourMs)]

describe('the next attempt', () => {
  it.each(schedule.map((wait, n) => [n + 1, wait]))(
    'schedules the attempt after attempt %i for %i ms later',
    (attempts, wait) => {
      const tried = { attempts, firstAt: start, lastAt: start }
      expect(nextAttempt(tried, 0)).toBe(start + wait)
    },
  )
  it('makes the last attempt to deliver five days after the first', () => {
    const lastAt = unixMs(start + 5 * dayMs - 1)
    expect(nextAttempt({ attempts: 11, firstAt: start, lastAt }, 0)).toBe(start + 5 * dayMs)
    expect(nextAttempt({ attempts: 12, firstAt: start, lastAt: unixMs(lastAt + 1) }, 0)).toBeNull()
  })
  it('retries a delivery up to a tenth later than the schedule, never earlier, and never after five days', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 5 * dayMs - 1 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempts, elapsed, random) => {
          const tried = { attempts, firstAt: start, lastAt: unixMs(start + elapsed) }
          const [soonest, drawn] = [nextAttempt(tried, 0) ?? 0, nextAttempt(tried, random) ?? 0]
          const wait = soonest - tried.lastAt
          expect(drawn - soonest).toBeGreaterThanOrEqual(0)
          expect(drawn - soonest).toBeLessThanOrEqual(wait / 10)
          expect(drawn).toBeLessThanOrEqual(start + 5 * dayMs)
        },
      ),
    ))
})
