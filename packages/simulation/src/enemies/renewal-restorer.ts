import { dayMs } from '@quittance/domain'
import type { Player } from '../player.ts'
import type { Requests } from '../requests.ts'
import type { Stage } from '../stage.ts'
import { restorer } from './restorer.ts'

/** A restorer who, in every other run, lets subscriptions renew day by day and forgets renewals that the ledger holds. */
export const renewalRestorer = (stage: Stage, requests: Requests): Player => {
  const { random, network } = stage
  const { moves, rest, attend } = restorer(stage, requests)
  const siege = random.onceIn(2) ? 12 : 0
  let round = 0
  return {
    moves,
    rest,
    siege,
    attend: async () => {
      await attend()
      round += 1
      if (round <= siege && round % 3 === 1) await network.wait(dayMs)
    },
  }
}
