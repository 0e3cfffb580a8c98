import { buildClub } from './club.ts'
import { buildFixture, type Fixture } from './fixture.ts'
import { buildTill } from './till.ts'

/** The worlds of runs: a shop sells and refunds, a till also pays out, a club has subscribers. */
export type World = 'shop' | 'till' | 'club'

export const fixtures: Readonly<Record<World, () => Promise<Fixture>>> = {
  shop: buildFixture,
  till: buildTill,
  club: buildClub,
}
