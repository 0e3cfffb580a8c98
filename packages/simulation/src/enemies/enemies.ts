import type { World } from '../fixtures.ts'
import type { Player } from '../player.ts'
import { seededRandom } from '../random.ts'
import type { Requests } from '../requests.ts'
import type { Stage } from '../stage.ts'
import { duster, flooder } from './duster.ts'
import { evader } from './evader.ts'
import { memoReader } from './memo-reader.ts'
import { offerHolder } from './offer-holder.ts'
import { quoteHolder } from './quote-holder.ts'
import { renewalRestorer } from './renewal-restorer.ts'
import { restorer } from './restorer.ts'

type Enter = (stage: Stage, requests: Requests) => Player

const enemies: Readonly<Record<World, Readonly<Record<string, Enter>>>> = {
  shop: {
    'a holder of stale quotes': quoteHolder,
    'a memo reader': memoReader,
    'a duster': duster,
    'a restorer': restorer,
  },
  till: { 'a restorer': restorer },
  club: {
    'a memo reader': memoReader,
    'an evader': evader,
    'a holder of prepared mandates': offerHolder,
    'a restorer': renewalRestorer,
  },
  market: { 'a flooder': flooder },
}

/** One run in so many has a certain enemy. A market is there for its own. */
const shares: Readonly<Record<World, number>> = { shop: 4, till: 4, club: 4, market: 1 }

/** The enemies of a run, drawn beside the run's own randomness: a run without enemies is the same with every list. */
export const enemiesOf = (world: World, seed: number, stage: Stage, requests: Requests): ReadonlyArray<Player> => {
  const random = seededRandom(`enemies of ${seed}`)
  return Object.entries(enemies[world]).flatMap(([name, enter]) => {
    if (!random.onceIn(shares[world])) return []
    stage.note(`${name} takes part`)
    return [enter(stage, requests)]
  })
}
