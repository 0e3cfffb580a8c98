import type { Fixture } from './fixture.ts'
import { fixtures, type World } from './fixtures.ts'
import { plantedBugs, seedThatFinds } from './planted-bugs/index.ts'
import { foundAt } from './testing/found-at.ts'

/** The rarest bugs take a restore at the right moment: in the shop one during a freeze, in the till one between two like payments. */
const maxSeeds: Readonly<Record<World, number>> = { shop: 250, till: 400, club: 150, market: 150 }
const worlds: ReadonlyArray<World> = ['shop', 'till', 'club', 'market']

describe.each(worlds)('planted bugs in a %s', (world) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await fixtures[world]()
  })
  afterAll(() => fixture.close())

  it.each(Object.entries(plantedBugs[world]))('finds the planted bug: %s', async (name, plant) => {
    const known = foundAt[world][name]
    const before = known === undefined ? [] : [known]
    expect(await seedThatFinds(fixture, plant, maxSeeds[world], before)).not.toBeNull()
  })
})
