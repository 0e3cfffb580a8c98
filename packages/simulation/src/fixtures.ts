import { buildClub } from './club.ts'
import { buildFixture, type Fixture } from './fixture.ts'

/** Where runs are played: a shop sells and gives back, a club has people who subscribe. */
export type World = 'shop' | 'club'

export const fixtures: Readonly<Record<World, () => Promise<Fixture>>> = { shop: buildFixture, club: buildClub }
