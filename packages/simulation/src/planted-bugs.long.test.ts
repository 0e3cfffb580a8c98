import type { Fixture } from './fixture.ts'
import { fixtures, type World } from './fixtures.ts'
import { plantedBugs, seedThatFinds } from './planted-bugs/index.ts'

const maxSeeds = 150
const worlds: ReadonlyArray<World> = ['shop', 'till', 'club', 'market']

describe.each(worlds)('planted bugs in a %s', (world) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await fixtures[world]()
  })
  afterAll(() => fixture.close())

  it.each(Object.entries(plantedBugs[world]))('finds the planted bug: %s', async (_, plant) =>
    expect(await seedThatFinds(fixture, plant, maxSeeds)).not.toBeNull(),
  )
})
