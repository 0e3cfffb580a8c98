import {
  type Billing,
  type CommandContext,
  createBilling,
  createDeliverer,
  type Deliverer,
  type Services,
} from '@quittance/billing'
import { mapProgram } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type { Fixture } from '../fixture.ts'
import { keptInMemory } from '../kept-freezes.ts'
import { openNetwork, type SimulatedNetwork } from '../network.ts'
import { copyOf } from '../open-vault.ts'
import { servicesThrough } from '../ports.ts'
import { processTable } from '../process-table.ts'
import type { Random } from '../random.ts'
import type { Process, Scheduler } from '../scheduler.ts'
import { idsFrom, servicesOpener } from '../services.ts'
import type { PlantedBug } from '../stage.ts'
import type { PostOutcome, Sender, Shops } from './shops.ts'
import type { WallClock } from './wall-clock.ts'
import { type Watch, watchOver } from './watch.ts'

/** A process that runs commands and delivers, as the service does. */
type RunningProcess = {
  readonly process: Process
  readonly billing: Billing
  readonly deliverer: Deliverer
  isDelivering: boolean
}

export const processes = ['service-1', 'service-2']

/** The ingredients of a run. */
export type Properties = {
  readonly fixture: Fixture
  readonly random: Random
  readonly scheduler: Scheduler
  readonly wall: WallClock
  readonly note: (line: string) => void
}

/** The world of a run: a log, and two services that deliver to the same endpoints. */
export type Stage = Properties & {
  readonly shops: Shops
  readonly network: SimulatedNetwork
  readonly watch: Watch
  readonly processNamed: (name: string) => RunningProcess
  readonly restart: (name: string) => void
  /** Starts a process's deliveries, unless they are running. */
  readonly deliver: (name: string) => void
  /** Services of a process without faults. */
  readonly faultFree: Services
  /** The context of a merchant's command given now. */
  readonly contextNow: () => CommandContext
}

export const openStage = (properties: Properties, shops: Shops, plant: PlantedBug): Stage => {
  const { fixture, random, scheduler, wall, note } = properties
  const network = openNetwork(fixture.ledger, fixture.startMs)
  const vaultFile = copyOf(fixture.vaultFile)
  const freshId = idsFrom(1)
  const openWhole = servicesOpener(fixture, network, vaultFile, freshId)
  const faultFree = openWhole()
  const watch = watchOver(fixture, faultFree, wall)

  const senderOf = (process: Process): Sender => ({
    post: (post) => {
      const name = `post ${post.headers['webhook-id']} to ${post.url}`
      const taken = async () => E.right(shops.take(post))
      return async () => {
        await watch.posted(process, post)
        const outcome = await scheduler.later<never, PostOutcome>(process, name, taken, 'itself', null)()
        if (E.isLeft(outcome)) throw new Error('unreachable')
        note(`answered ${JSON.stringify(outcome.right)}`)
        return outcome.right
      }
    },
    close: () => Promise.resolve(),
  })
  const open = (name: string): RunningProcess => {
    const process = { name, isAlive: true }
    const whole = openWhole()
    const services = plant(deliveringThrough(scheduler, process, withDefectsTold(whole, scheduler), watch))
    const ports = { sender: senderOf(process), wallNow: wall.now, random: () => random.below(1_000) / 1_000 }
    const deliverer = createDeliverer(services, ports)
    return { process, billing: createBilling(services), deliverer, isDelivering: false }
  }
  const { processNamed, restart } = processTable(open, scheduler, note)
  return {
    ...properties,
    shops,
    network,
    watch,
    processNamed,
    restart,
    deliver: (name) => {
      const one = processNamed(name)
      if (one.isDelivering) return
      one.isDelivering = true
      scheduler.start(one.process, 'to deliver', one.deliverer.settle, () => {
        one.isDelivering = false
        note(`${name} has nothing to deliver`)
      })
    },
    faultFree,
    contextNow: () => {
      const commandId = freshId()
      const rest = { correlationId: commandId, causationId: null, actor: 'client', at: network.now() }
      return { merchantId: fixture.merchantId, environment: 'testnet', commandId, ...rest }
    },
  }
}

/** Extends `servicesThrough`: reading the log and each transaction of the to-do list are effects too. */
const deliveringThrough = (scheduler: Scheduler, process: Process, services: Services, watch: Watch): Services => {
  const { toDo, caughtUp } = services
  const { deliveries, sql } = toDo
  return {
    ...servicesThrough(scheduler, process, services, keptInMemory()),
    caughtUp: { ...caughtUp, withLog: scheduler.later(process, 'look at the log', caughtUp.withLog, 'itself', null) },
    toDo: {
      ...toDo,
      deliveries: {
        ...deliveries,
        claim: (...asked) =>
          mapProgram(deliveries.claim(...asked), (claimed) => {
            for (const delivery of claimed) watch.claimed(process, delivery)
            return claimed
          }),
      },
      sql: {
        ...sql,
        // Skips the durability setting, since a run is already inside a transaction. Reads are no effects.
        run: (program) =>
          program.isLone === true
            ? sql.run(program)
            : scheduler.now(process, 'write the to-do list', () => sql.run(program)),
      },
    },
  }
}

/** In the service a defect blocks one endpoint; here it fails the run. */
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
