import { buildClub } from './club.ts'
import { buildFixture, type Fixture } from './fixture.ts'
import { buildMarket } from './market.ts'
import { buildTill } from './till.ts'

/**
 * The worlds of runs: a shop sells and refunds, a till also pays out, a club has subscribers, and in a market another
 * merchant sells beside the shop.
 */
export type World = 'shop' | 'till' | 'club' | 'market'

export const fixtures: Readonly<Record<World, () => Promise<Fixture>>> = {
  shop: buildFixture,
  till: buildTill,
  club: buildClub,
  market: buildMarket,
}
