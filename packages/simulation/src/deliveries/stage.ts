import {
  type Billing,
  type CommandContext,
  createBilling,
  createDeliverer,
  type Deliverer,
  type Services,
} from '@quittance/billing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { connectionsTo } from '../connections.ts'
import type { Draws } from '../draws.ts'
import type { Fixture } from '../fixture.ts'
import { openNetwork, type SimulatedNetwork } from '../network.ts'
import { copyOf } from '../open-vault.ts'
import { servicesThrough } from '../ports.ts'
import type { Process, Scheduler } from '../scheduler.ts'
import { idsFrom, openServices } from '../services.ts'
import type { Plant } from '../stage.ts'
import type { Answer, Sender, Shops } from './shops.ts'
import type { WallClock } from './wall-clock.ts'
import { type Watch, watchOver } from './watch.ts'

/** A process that serves commands and delivers, as the service does. */
type Served = {
  readonly process: Process
  readonly billing: Billing
  readonly deliverer: Deliverer
  isDelivering: boolean
}

export const processes = ['service-1', 'service-2']

/** What a run is played with. */
export type Properties = {
  readonly fixture: Fixture
  readonly draws: Draws
  readonly scheduler: Scheduler
  readonly wall: WallClock
  readonly note: (line: string) => void
}

/** Where a run is played: a log, and two services that deliver to the same endpoints. */
export type Stage = Properties & {
  readonly shops: Shops
  readonly network: SimulatedNetwork
  readonly watch: Watch
  readonly served: (name: string) => Served
  readonly restart: (name: string) => void
  /** Has a process deliver what is due, unless it does. */
  readonly deliver: (name: string) => void
  /** The services of a process that nothing troubles. */
  readonly untroubled: Services
  /** A command of the merchant, given now. */
  readonly contextNow: () => CommandContext
}

export const setStage = (properties: Properties, shops: Shops, plant: Plant): Stage => {
  const { fixture, draws, scheduler, wall, note } = properties
  const network = openNetwork(fixture.ledger, fixture.startMs)
  const connect = connectionsTo(fixture.log)
  const vaultFile = copyOf(fixture.vaultFile)
  const freshId = idsFrom(1)
  const opened = new Map<string, Served>()
  const untroubled = openServices(connect(), network, vaultFile, freshId)
  const watch = watchOver(fixture, untroubled, wall)

  const senderOf = (process: Process): Sender => ({
    post: (post) => {
      watch.posted(process, post)
      const name = `post ${post.headers['webhook-id']} to ${post.url}`
      const taken = TE.fromIO(() => shops.take(post))
      return async () => {
        const answer = await scheduler.later<never, Answer>(process, name, taken, 'itself', null)()
        if (answer._tag === 'Left') throw new Error('unreachable')
        note(`answered ${JSON.stringify(answer.right)}`)
        return answer.right
      }
    },
    close: () => Promise.resolve(),
  })
  const open = (name: string): Served => {
    const process = { name, isAlive: true }
    const whole = openServices(connect(), network, vaultFile, freshId)
    const services = plant(deliveringThrough(scheduler, process, withDefectsTold(whole, scheduler), watch))
    const random = (): number => draws.below(1_000) / 1_000
    const deliverer = createDeliverer(services, { sender: senderOf(process), wallNow: wall.now, random })
    return { process, billing: createBilling(services), deliverer, isDelivering: false }
  }
  /** A process by its name; one that has died is started anew. */
  const served = (name: string): Served => {
    const known = opened.get(name)
    if (known?.process.isAlive === true) return known
    const fresh = open(name)
    opened.set(name, fresh)
    return fresh
  }
  return {
    ...properties,
    shops,
    network,
    watch,
    served,
    restart: (name) => {
      note(`${name} is restarted`)
      scheduler.kill(served(name).process)
    },
    deliver: (name) => {
      const one = served(name)
      if (one.isDelivering) return
      one.isDelivering = true
      scheduler.start(one.process, 'to deliver', one.deliverer.settle, () => {
        one.isDelivering = false
        note(`${name} has nothing to deliver`)
      })
    },
    untroubled,
    contextNow: () => {
      const commandId = freshId()
      const rest = { correlationId: commandId, causationId: null, actor: 'client', at: network.now() }
      return { merchantId: fixture.merchantId, environment: 'testnet', commandId, ...rest }
    },
  }
}

/** As `servicesThrough`, and looking at the log and each transaction of the to-do list are effects as well. */
const deliveringThrough = (scheduler: Scheduler, process: Process, services: Services, watch: Watch): Services => {
  const { toDo, caughtUp } = services
  const { database, deliveries } = toDo
  return {
    ...servicesThrough(scheduler, process, services),
    caughtUp: { ...caughtUp, withLog: scheduler.later(process, 'look at the log', caughtUp.withLog, 'itself', null) },
    toDo: {
      ...toDo,
      deliveries: {
        ...deliveries,
        claim: (...asked) => {
          const claimed = deliveries.claim(...asked)
          for (const delivery of claimed) watch.claimed(process, delivery)
          return claimed
        },
      },
      // Without the setting for the disk: a run is within a transaction already.
      transaction: (work) => scheduler.now(process, 'write the to-do list', () => database.transaction(work)),
    },
  }
}

/** A defect holds up one endpoint alone; here it is one of the run. */
const withDefectsTold = (services: Services, { defects }: Pick<Scheduler, 'defects'>): Services => ({
  ...services,
  setbacks: {
    ...services.setbacks,
    record: (loop, item, failed, now) => {
      if (failed.failure === 'Defect') defects.push(`${loop} ${item.id}: ${failed.cause}`)
      return services.setbacks.record(loop, item, failed, now)
    },
  },
})
