import type { Fixture } from './fixture.ts'
import { fixtures, type World } from './fixtures.ts'
import { plantedBugs, seedThatFinds } from './planted-bugs/index.ts'

const maxSeeds = 150
const worlds: ReadonlyArray<World> = ['shop', 'till', 'club']

describe.each(worlds)('a bug that is planted in a %s is found', (world) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await fixtures[world]()
  })
  afterAll(() => fixture.close())

  it.each(Object.entries(plantedBugs[world]))(
    '%s',
    async (_, plant) => expect(await seedThatFinds(fixture, plant, maxSeeds)).not.toBeNull(),
    600_000,
  )
})
