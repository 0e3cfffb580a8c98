import { buildFixture, type Fixture } from './fixture.ts'
import { type Run, simulate } from './simulate.ts'

const seeds = 150

let fixture: Fixture
beforeAll(async () => {
  fixture = await buildFixture()
})
afterAll(() => fixture.close())

/** A run that broke nothing, or its seed with what it broke: `npm run bench -- simulate --seed <seed>` plays it again. */
const verdict = ({ seed, broken }: Run): string =>
  broken.length === 0 ? 'keeps every rule' : `seed ${seed} breaks: ${broken.join('; ')}`

describe('any order of effects, with processes that die and answers that are lost', () => {
  it('keeps every rule', async () => {
    const verdicts = new Set<string>()
    for (let seed = 0; seed < seeds; seed++) verdicts.add(verdict(await simulate(fixture, seed)))
    expect([...verdicts]).toEqual(['keeps every rule'])
  }, 600_000)

  it('is the same to the last byte for the same seed, in a world that was built anew', async () => {
    const [again, seed] = [await buildFixture(), 12]
    const [one, other] = [await simulate(fixture, seed), await simulate(again, seed)]
    again.close()
    expect(other).toEqual(one)
    expect((await simulate(fixture, seed + 1)).digest).not.toBe(one.digest)
  })
})
