import { buildFixture, type Fixture } from '../fixture.ts'
import { plantedDeliveryBugs } from './planted-bugs.ts'
import { type DeliveryRun, simulateDeliveries } from './simulate-deliveries.ts'

const [seeds, maxSeeds] = [20, 60]

let fixture: Fixture
beforeAll(async () => {
  fixture = await buildFixture()
})
afterAll(() => fixture.close())

/** A run that broke nothing, or its seed with what it broke: `npm run bench -- simulate-deliveries --seed <seed>` plays it again. */
const verdict = ({ seed, broken }: DeliveryRun): string =>
  broken.length === 0 ? 'keeps every rule' : `seed ${seed} breaks: ${broken.join('; ')}`

describe('deliveries by two processes that die, to servers that fail', () => {
  it('keep every rule', async () => {
    const verdicts = new Set<string>()
    for (let seed = 0; seed < seeds; seed++) verdicts.add(verdict(await simulateDeliveries(fixture, seed)))
    expect([...verdicts]).toEqual(['keeps every rule'])
  }, 600_000)

  it('are the same to the last byte for the same seed, in a world that was built anew', async () => {
    const [again, seed] = [await buildFixture(), 12]
    const [one, other] = [await simulateDeliveries(fixture, seed), await simulateDeliveries(again, seed)]
    again.close()
    expect(other).toEqual(one)
    expect((await simulateDeliveries(fixture, seed + 1)).digest).not.toBe(one.digest)
  }, 600_000)

  it.each(Object.entries(plantedDeliveryBugs))(
    'break a rule where %s',
    async (_, plant) => {
      let isFound = false
      for (let seed = 0; seed < maxSeeds && !isFound; seed++)
        isFound = (await simulateDeliveries(fixture, seed, plant)).broken.length > 0
      expect(isFound).toBe(true)
    },
    600_000,
  )
})
