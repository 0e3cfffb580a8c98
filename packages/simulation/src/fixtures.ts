import { buildClub } from './club.ts'
import { buildFixture, type Fixture } from './fixture.ts'
import { buildTill } from './till.ts'

/** Where runs are played: a shop sells and gives back, a till is a shop whose merchant withdraws, a club has people who subscribe. */
export type World = 'shop' | 'till' | 'club'

export const fixtures: Readonly<Record<World, () => Promise<Fixture>>> = {
  shop: buildFixture,
  till: buildTill,
  club: buildClub,
}
