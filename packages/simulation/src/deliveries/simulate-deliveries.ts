import { createHash } from 'node:crypto'
import { undone } from '../connections.ts'
import type { Move } from '../customers.ts'
import { type Draws, drawsFrom } from '../draws.ts'
import type { Fixture } from '../fixture.ts'
import { type Asked, createScheduler, type Fate } from '../scheduler.ts'
import type { Plant } from '../stage.ts'
import { movesOn } from './moves.ts'
import { brokenOn } from './rules.ts'
import { deliverAll, goOnIn, leaseIsOverMs, settle } from './settle.ts'
import { openShops } from './shops.ts'
import { setStage } from './stage.ts'
import { onWallClock, quiescence } from './wall-clock.ts'

/** How a run went. `broken`: which rules do not hold, and defects. */
export type DeliveryRun = {
  readonly seed: number
  readonly trace: ReadonlyArray<string>
  readonly digest: string
  readonly broken: ReadonlyArray<string>
  readonly counts: DeliveryCounts
}

/** What was delivered at least once, counted by endpoint; attempts that reached a server; arrivals; deaths of processes. */
export type DeliveryCounts = {
  readonly deliveries: number
  readonly attempts: number
  readonly arrivals: number
  readonly deaths: number
}

const turns = 250

const choose = (draws: Draws, moves: ReadonlyArray<Move>): Move => {
  let left = draws.below(moves.reduce((sum, { weight }) => sum + weight, 0))
  const chosen = moves.find(({ weight }) => {
    left -= weight
    return left < 0
  })
  if (chosen === undefined) throw new Error('unreachable')
  return chosen
}

/** How bad the world of a run is: a process dies, or the store's answer is lost, once in so many effects; 0 is never. */
const fatesOf = (draws: Draws) => {
  const [death, loss] = [draws.oneOf([0, 300, 80, 25]), draws.oneOf([0, 200, 40, 12])]
  const world = { isQuiet: false, deaths: 0 }
  const fates = (asked: Asked): Fate => {
    if (world.isQuiet) return 'done'
    if (draws.onceIn(death)) {
      world.deaths += 1
      return draws.oneOf(['diedBefore', 'diedAfter'])
    }
    return asked === 'store' && draws.onceIn(loss) ? draws.oneOf(['replyLost', 'neverDone']) : 'done'
  }
  return { world, fates }
}

/** Plays one run of deliveries from its seed, and holds what is left to every rule. The fixture is as before afterwards. */
export const simulateDeliveries = (
  fixture: Fixture,
  seed: number,
  plant: Plant = (services) => services,
): Promise<DeliveryRun> =>
  undone([fixture.log, fixture.ledger], () =>
    onWallClock(fixture.startMs, async (wall) => {
      const trace: Array<string> = []
      const note = (line: string): void => void trace.push(line)
      const draws = drawsFrom(seed)
      const { world, fates } = fatesOf(draws)
      const scheduler = createScheduler(fates, note)
      const shops = openShops(draws)
      const stage = setStage({ fixture, draws, scheduler, wall, note }, shops, plant)
      const isQuiescent = quiescence()
      const goOn = goOnIn(stage, isQuiescent)
      const deliverNow = () => deliverAll(stage, goOn, isQuiescent)

      const moves = movesOn(stage)
      for (let turn = 0; turn < turns && scheduler.defects.length === 0; turn++) {
        if (scheduler.waiting() > 0 && !draws.onceIn(3)) await goOn()
        else {
          const { name, act } = choose(draws, moves)
          note(name)
          act()
          await isQuiescent()
        }
      }
      await deliverNow()
      world.isQuiet = true
      wall.goOn(leaseIsOverMs)
      await deliverNow()
      const broken: Array<string> = []
      if (scheduler.defects.length === 0) broken.push(...(await brokenOn(stage, false)))
      shops.quieten()
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
