import { buildFixture, type Fixture } from './fixture.ts'
import { plantedBugs, seedThatFinds } from './planted-bugs/index.ts'

const mostSeeds = 150

let fixture: Fixture
beforeAll(async () => {
  fixture = await buildFixture()
})
afterAll(() => fixture.close())

describe('a planted bug is found', () => {
  it.each(Object.entries(plantedBugs))(
    '%s',
    async (_, plant) => expect(await seedThatFinds(fixture, plant, mostSeeds)).not.toBeNull(),
    600_000,
  )
})
