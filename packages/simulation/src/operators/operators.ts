import type { Player } from '../player.ts'
import { seededRandom } from '../random.ts'
import type { Requests } from '../requests.ts'
import type { Stage } from '../stage.ts'
import { feeTaker } from './fee-taker.ts'
import { freezer } from './freezer.ts'
import { migrator } from './migrator.ts'
import { rotator } from './rotator.ts'

const operators: Readonly<Record<string, (stage: Stage, requests: Requests) => Player>> = {
  'a rotator': rotator,
  'a freezer': freezer,
  'a migrator': migrator,
  'a taker of fees': feeTaker,
}

/** One run in so many has a certain operator. */
const share = 4

/** The operators of a run, drawn beside the run's own randomness and that of its enemies. */
export const operatorsOf = (seed: number, stage: Stage, requests: Requests): ReadonlyArray<Player> => {
  const random = seededRandom(`operators of ${seed}`)
  return Object.entries(operators).flatMap(([name, enter]) => {
    if (!random.onceIn(share)) return []
    stage.note(`${name} takes part`)
    return [enter(stage, requests)]
  })
}
