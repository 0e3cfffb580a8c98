import { buildFixture, type Fixture } from './fixture.ts'
import { plantedBugs } from './planted-bugs/index.ts'
import { simulate } from './simulate.ts'
import type { Plant } from './stage.ts'

const mostSeeds = 60

let fixture: Fixture
beforeAll(async () => {
  fixture = await buildFixture()
})
afterAll(() => fixture.close())

/** The first seed whose run breaks a rule; null where none does. */
const foundBy = async (plant: Plant): Promise<number | null> => {
  for (let seed = 0; seed < mostSeeds; seed++) {
    const { broken } = await simulate(fixture, seed, plant)
    if (broken.length > 0) return seed
  }
  return null
}

describe('a planted bug is found', () => {
  it.each(Object.entries(plantedBugs))('%s', async (_, plant) => expect(await foundBy(plant)).not.toBeNull(), 600_000)
})
