import { type Billing, createBilling, createWorker, type Services, type Worker } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import { connectionsTo } from './connections.ts'
import type { Draws } from './draws.ts'
import type { Fixture } from './fixture.ts'
import { openNetwork, type SimulatedNetwork } from './network.ts'
import { copyOf } from './open-vault.ts'
import { servicesThrough } from './ports.ts'
import type { Process, Scheduler } from './scheduler.ts'
import { idsFrom, openServices } from './services.ts'

/** A process with what it serves; `isStepping`: its worker is under way. */
type Served = {
  readonly process: Process
  readonly billing: Billing
  readonly worker: Worker
  isStepping: boolean
}

export const servers = ['server-1', 'server-2']
export const workers = ['worker-1', 'worker-2']
export const processes = [...servers, ...workers]

/** Makes a faulty process of a sound one, by what stands between it and its services: a bug, planted. */
export type Plant = (services: Services) => Services

/** Where a run is played: a network, a log, and the processes between them. */
export interface Stage {
  readonly fixture: Fixture
  readonly network: SimulatedNetwork
  readonly scheduler: Scheduler
  readonly draws: Draws
  readonly note: (line: string) => void
  readonly anyServer: () => Served
  readonly restart: (name: string) => void
  readonly step: (name: string) => void
  /** Hands in a transaction past the service. */
  readonly hand: (envelope: string) => void
  /** Hands in one that pays, and names nothing of ours. */
  readonly handForNothing: (envelope: string) => void
  /** The hashes of those that were. */
  readonly paidForNothing: ReadonlySet<string>
  /** The services of a process that nothing troubles. */
  readonly untroubled: Services
}

export const setStage = (
  fixture: Fixture,
  draws: Draws,
  scheduler: Scheduler,
  note: (line: string) => void,
  plant: Plant,
): Stage => {
  const network = openNetwork(fixture.ledger, fixture.startMs)
  const connect = connectionsTo(fixture.log)
  const vaultFile = copyOf(fixture.vaultFile)
  const freshId = idsFrom(1)
  const opened = new Map<string, Served>()
  const paidForNothing = new Set<string>()

  const open = (name: string): Served => {
    const process = { name, isAlive: true }
    const whole = openServices(connect(), network, vaultFile, freshId)
    const services = plant(servicesThrough(scheduler, process, whole))
    const worker = createWorker(
      services,
      'testnet',
      ({ _tag }) => note(`${name} halts: ${_tag}`),
      ({ _tag }) => note(`${name} is troubled: ${_tag}`),
      undefined,
      undefined,
      ({ _tag, loop, failure, cause }) => {
        note(`${name} is told: ${_tag} ${loop} ${failure}`)
        if (_tag === 'MerchantSetBack' && failure === 'Defect') scheduler.defects.push(`${name}, ${loop}: ${cause}`)
      },
    )
    if (worker === null) throw new Error('there is no network')
    return { process, billing: createBilling(services), worker, isStepping: false }
  }
  /** A process by its name; one that has died is started anew. */
  const served = (name: string): Served => {
    const known = opened.get(name)
    if (known?.process.isAlive === true) return known
    const fresh = open(name)
    opened.set(name, fresh)
    return fresh
  }
  const submit = (envelope: string): string | null => {
    const submitted = E.toUnion(network.sandbox.submit(envelope))
    note(`the network says ${'status' in submitted ? submitted.status : 'malformed'}`)
    return 'status' in submitted ? submitted.hash : null
  }
  return {
    fixture,
    network,
    scheduler,
    draws,
    note,
    anyServer: () => served(draws.oneOf(servers)),
    restart: (name) => {
      note(`${name} is restarted`)
      scheduler.kill(served(name).process)
    },
    step: (name) => {
      const one = served(name)
      if (one.isStepping) return
      one.isStepping = true
      scheduler.start(one.process, 'a step', one.worker.step, (outcome) => {
        one.isStepping = false
        note(`${name} has done a step: ${E.isRight(outcome) ? 'Right' : outcome.left._tag}`)
      })
    },
    hand: (envelope) => void submit(envelope),
    handForNothing: (envelope) => {
      const hash = submit(envelope)
      if (hash !== null) paidForNothing.add(hash)
    },
    paidForNothing,
    untroubled: openServices(connect(), network, vaultFile, freshId),
  }
}
