import type { Fixture } from './fixture.ts'
import { fixtures, type World } from './fixtures.ts'
import { type Run, simulate } from './simulate.ts'

/** A sample for each change of the code. `npm run bench -- simulate` runs as many as wanted. */
const seeds: Readonly<Record<World, number>> = { shop: 60, till: 20, club: 12, market: 15 }

/** A run's violations with its seed. `npm run bench -- simulate --seed <seed>` reproduces it. */
const verdict = ({ seed, broken }: Run): string =>
  broken.length === 0 ? 'keeps every rule' : `seed ${seed} breaks: ${broken.join('; ')}`

describe.each(['shop', 'till', 'club', 'market'] as const)('in a %s with crashing processes', (world) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await fixtures[world]()
  })
  afterAll(() => fixture.close())

  it('keeps every rule in any order of effects', async () => {
    const verdicts = new Set<string>()
    for (let seed = 0; seed < seeds[world]; seed++) verdicts.add(verdict(await simulate(fixture, seed)))
    expect([...verdicts]).toEqual(['keeps every rule'])
  })

  it('a seed gives the same run to the last byte in a rebuilt world', async () => {
    const again = await fixtures[world]()
    const digests = new Set<string>()
    // Some of these have processes that wait for another one, or pause after a conflict.
    for (let seed = 12; seed < 22; seed++) {
      const [one, other] = [await simulate(fixture, seed), await simulate(again, seed)]
      expect(other).toEqual(one)
      digests.add(one.digest)
    }
    again.close()
    expect(digests.size).toBe(10)
  })
})
