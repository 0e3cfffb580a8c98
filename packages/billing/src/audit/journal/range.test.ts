import { asText, dayMs, hourMs, type RecordedEvent, type UnixMs } from '@quittance/domain'
import { done, present } from '../../testing/outcomes.ts'
import { paidLate } from '../../testing/paid-late.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openStoreFront } from '../../testing/store-front.ts'
import { journalOf } from './testing/journal-of.ts'

describe('a range of the journal', () => {
  it('reads of a long log little more than the month that it is asked for', async () => {
    const read: Array<RecordedEvent> = []
    const front = await openStoreFront({}, undefined, (store) => ({
      ...store,
      readAll: async function* (...request) {
        for await (const event of store.readAll(...request)) {
          read.push(event)
          yield event
        }
      },
    }))
    const refunds = refundsIn(front)
    const months: Array<UnixMs> = []
    for (let month = 0; month < 12; month++) {
      months.push(front.network.now())
      for (let sale = 0; sale < 3; sale++) await refunds.paid()
      front.network.wait(30 * dayMs)
    }
    const readFor = async (range: object) => {
      read.length = 0
      const parts: Array<number | null> = []
      const found = await journalOf(front, range, (part) => parts.push(part))
      return { found, events: [...read], parts }
    }
    const whole = await readFor({})
    const [from, to] = [present(months[5]), present(months[6])]
    const month = await readFor({ from, to })
    expect(month.found).toEqual(whole.found.filter(({ at }) => at >= from && at < to))
    expect(month.found.filter(({ kind }) => kind === 'payment_confirmed')).toHaveLength(3)
    // From the day before, and what may be learned late, up to the first event that is of no concern.
    const isNear = ({ recordedAt }: RecordedEvent) => recordedAt >= from - dayMs && recordedAt < to + 10 * dayMs
    const near = whole.events.filter(isNear)
    expect(month.events.slice(0, -1)).toEqual(near)
    expect(near.length).toBeLessThan(whole.events.length / 5)
    // Whoever arrives from another installation is suspended behind events of earlier times.
    const suspension = { scope: 'everything' as const, merchantId: front.merchantId, by: asText('Ada') }
    await done(front.billing.freezes.freeze({ ...suspension, reason: asText('arrived') }))
    const unordered = await readFor({ from, to })
    expect(unordered.found).toEqual(month.found)
    expect(unordered.events.length).toBe(whole.events.length)
    for (const { parts } of [whole, month]) {
      expect(parts).toEqual(parts.toSorted((one, other) => (one ?? 0) - (other ?? 0)))
      expect(parts.at(-1)).toBeCloseTo(1, 1)
    }
    await front.close()
  })

  it('counts what is learned within ten days when it happened, and later when it was learned', async () => {
    const front = await openStoreFront()
    const inTime = await paidLate(front, 10 * dayMs - hourMs)
    const tooLate = await paidLate(front, 10 * dayMs + hourMs)
    const [early, late] = (await journalOf(front)).filter(({ kind }) => kind === 'payment_received')
    expect(present(early).at).toBeLessThanOrEqual(inTime.paid)
    expect(present(late).at).toBeGreaterThan(tooLate.unknown)
    const { paid } = tooLate
    const halves = [...(await journalOf(front, { to: paid })), ...(await journalOf(front, { from: paid }))]
    expect(halves).toEqual(await journalOf(front))
    await front.close()
  })
})
