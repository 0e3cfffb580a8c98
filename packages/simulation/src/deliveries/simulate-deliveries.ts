import { createHash } from 'node:crypto'
import { undone } from '../connections.ts'
import type { Fixture } from '../fixture.ts'
import { chooseMove } from '../move.ts'
import { type Random, seededRandom } from '../random.ts'
import { createScheduler, type EffectOutcome, type EffectTarget } from '../scheduler.ts'
import type { PlantedBug } from '../stage.ts'
import { deliveryMoves } from './moves.ts'
import { brokenOn } from './rules.ts'
import { deliverAll, effectRunner, leaseIsOverMs, settle } from './settle.ts'
import { openShops } from './shops.ts'
import { openStage } from './stage.ts'
import { onWallClock, quiescence } from './wall-clock.ts'

/** The result of a run. `broken` lists violations and defects. */
export type DeliveryRun = {
  readonly seed: number
  readonly trace: ReadonlyArray<string>
  readonly digest: string
  readonly broken: ReadonlyArray<string>
  readonly counts: DeliveryCounts
}

/** Distinct deliveries per endpoint, attempts that reached a server, arrivals, and deaths of processes. */
export type DeliveryCounts = {
  readonly deliveries: number
  readonly attempts: number
  readonly arrivals: number
  readonly deaths: number
}

const turns = 250

/**
 * Draws the failure rates of a run: a process dies, or a store's reply is lost, once in so many effects; 0 is never.
 */
const outcomeChooser = (random: Random) => {
  const [death, loss] = [random.oneOf([0, 300, 80, 25]), random.oneOf([0, 200, 40, 12])]
  const world = { isQuiet: false, deaths: 0 }
  const chooseOutcome = (target: EffectTarget): EffectOutcome => {
    if (world.isQuiet) return 'done'
    if (random.onceIn(death)) {
      world.deaths += 1
      return random.oneOf(['diedBefore', 'diedAfter'])
    }
    return target === 'store' && random.onceIn(loss) ? random.oneOf(['replyLost', 'neverDone']) : 'done'
  }
  return { world, chooseOutcome }
}

/** Runs one seed and checks every rule. Leaves the fixture unchanged. */
export const simulateDeliveries = (
  fixture: Fixture,
  seed: number,
  plant: PlantedBug = (services) => services,
): Promise<DeliveryRun> =>
  undone([fixture.log, fixture.ledger, fixture.vault], () =>
    onWallClock(fixture.startMs, async (wall) => {
      const trace: Array<string> = []
      const note = (line: string): void => void trace.push(line)
      const random = seededRandom(seed)
      const { world, chooseOutcome } = outcomeChooser(random)
      const scheduler = createScheduler(chooseOutcome, note)
      const shops = openShops(random)
      const stage = openStage({ fixture, random, scheduler, wall, note }, shops, plant)
      const isQuiescent = quiescence()
      const goOn = effectRunner(stage, isQuiescent)
      const deliverNow = () => deliverAll(stage, goOn, isQuiescent)

      const moves = deliveryMoves(stage)
      for (let turn = 0; turn < turns && scheduler.defects.length === 0; turn++) {
        if (scheduler.waiting() > 0 && !random.onceIn(3)) await goOn()
        else {
          const { name, act } = chooseMove(random, moves)
          note(name)
          await act()
          await isQuiescent()
        }
      }
      await deliverNow()
      world.isQuiet = true
      wall.advance(leaseIsOverMs)
      await deliverNow()
      const broken: Array<string> = []
      if (scheduler.defects.length === 0) broken.push(...(await brokenOn(stage, false)))
      shops.stopFailures()
      await settle(stage, deliverNow)
      if (scheduler.defects.length === 0) broken.push(...(await brokenOn(stage, true)))
      broken.push(...scheduler.defects, ...stage.watch.broken)
      const events = fixture.log.prepare('SELECT digest FROM events ORDER BY position DESC LIMIT 1').get()
      note(`the log ends with ${events?.digest}`)
      const counts = {
        deliveries: new Set(shops.arrivals.map(({ url, eventId }) => `${url} ${eventId}`)).size,
        attempts: shops.attempts(),
        arrivals: shops.arrivals.length,
        deaths: world.deaths,
      }
      return { seed, trace, digest: createHash('sha256').update(trace.join('\n')).digest('hex'), broken, counts }
    }),
  )
