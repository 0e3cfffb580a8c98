import { maximumStroops, stroops } from '@quittance/domain'
import fc from 'fast-check'
import { rational } from '../rates/rational.ts'
import { highestPrice, type PriceKind, sendMaxOf, slippageBetween } from './send-max.ts'

const kinds: ReadonlyArray<PriceKind> = ['pegged', 'native', 'other']

describe('the most that a path payment may take', () => {
  it.each<[PriceKind, PriceKind, bigint]>([
    ['pegged', 'pegged', 50n],
    ['native', 'pegged', 150n],
    ['pegged', 'native', 150n],
    ['other', 'native', 200n],
    ['pegged', 'other', 200n],
  ])('leaves room for the more volatile asset, in basis points: %s for %s', (send, destination, basisPoints) =>
    expect(slippageBetween(send, destination)).toBe(basisPoints),
  )

  it.each([
    [10_000n, 50n, 10_050n],
    [10_001n, 50n, 10_052n],
    [1n, 50n, 2n],
    [1_000_000_000n, 150n, 1_015_000_000n],
    [maximumStroops, 200n, maximumStroops],
  ])('is rounded up once: %d stroops with %d basis points', (found, basisPoints, most) =>
    expect(sendMaxOf(stroops(found), basisPoints)).toBe(most),
  )

  it('exceeds the found amount by the slippage and less than a stroop', () =>
    fc.assert(
      fc.property(
        fc.bigInt(1n, maximumStroops),
        fc.constantFrom(...kinds),
        fc.constantFrom(...kinds),
        (found, send, destination) => {
          const basisPoints = slippageBetween(send, destination)
          const most = sendMaxOf(stroops(found), basisPoints)
          expect(most).toBeGreaterThanOrEqual(found)
          if (most < maximumStroops) {
            const exactly = found * (10_000n + basisPoints)
            expect(most * 10_000n).toBeGreaterThanOrEqual(exactly)
            expect((most - 1n) * 10_000n).toBeLessThan(exactly)
          }
        },
      ),
    ))
})

describe('the highest price of a path', () => {
  it.each([
    [rational(10_000n), 10_300n],
    [rational(10_001n), 10_302n],
    [rational(1n, 3n), 1n],
  ])('is 3 %% above the reference, rounded up: %j', (reference, highest) =>
    expect(highestPrice(reference)).toBe(highest),
  )
})
