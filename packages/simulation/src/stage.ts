import { type Billing, createBilling, createWorker, type Services, type Worker } from '@quittance/billing'
import { right } from '@quittance/billing/testing/outcomes'
import { asText } from '@quittance/domain'
import { readEnvelope } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Fixture } from './fixture.ts'
import { keptInMemory } from './kept-freezes.ts'
import { openNetwork, type SimulatedNetwork } from './network.ts'
import { copyOf } from './open-vault.ts'
import { servicesThrough } from './ports.ts'
import { processTable } from './process-table.ts'
import type { Random } from './random.ts'
import type { Process, Scheduler } from './scheduler.ts'
import { idsFrom, servicesOpener } from './services.ts'
import { type Watcher, watched } from './watch.ts'

/** A process with its services; `isStepping` while its worker runs a step. */
type RunningProcess = {
  readonly process: Process
  readonly billing: Billing
  readonly worker: Worker
  /** Checks the log, as a start does, once it was put back. */
  readonly checked: () => Promise<unknown>
  isStepping: boolean
}

export const servers = ['server-1', 'server-2']
export const workers = ['worker-1', 'worker-2']
export const processes = [...servers, ...workers]
/** The name under which an operator accepts a log that went back. */
export const operator = 'an operator'

/** Makes a process faulty by changing its services. */
export type PlantedBug = (services: Services) => Services

/** The world of a run: a network, a log, and the processes between them. */
export interface Stage {
  readonly fixture: Fixture
  readonly network: SimulatedNetwork
  readonly scheduler: Scheduler
  readonly random: Random
  readonly note: (line: string) => void
  readonly anyServer: () => RunningProcess
  /** Sends one request to any server; `heard` receives a successful answer, unless the process dies first. */
  readonly visit: <A>(
    name: string,
    question: (billing: Billing) => TaskEither<unknown, A>,
    heard?: (answer: A) => void,
  ) => void
  readonly restart: (name: string) => void
  /** Sends a command of an operator, which is not refused while the log has gone back. */
  readonly operate: Stage['visit']
  /** Ends all processes and changes their files. */
  readonly putBack: (change: () => void) => void
  readonly isPutBack: () => boolean
  /** Has an operator accept a log that went back, if a worker says that it did. Ingestion may not allow it yet. */
  readonly acceptLog: () => void
  readonly step: (name: string) => void
  /** Submits a transaction without the service. */
  readonly submitDirectly: (envelope: string) => void
  /** Submits a payment without a reference of ours. */
  readonly submitUnmatched: (envelope: string) => void
  /** The hashes of such payments. */
  readonly unmatchedHashes: ReadonlySet<string>
  /** Services of a process without faults. */
  readonly faultFree: Services
  /** Access that enemies had on the way and should not have had. */
  readonly wrongAccess: Set<string>
  /** Answers that a stranger got by what he had read on the ledger. */
  readonly granted: Set<string>
  /** Has somebody see what processes do when it happens. */
  readonly watch: (watcher: Watcher) => void
  /** Records a broken rule that the final state would not show. */
  readonly witness: (violation: string) => void
  readonly witnessed: ReadonlySet<string>
  /** Transactions that were sent although the log had gone back and nobody had accepted that. */
  readonly sentTooEarly: Set<string>
  /** How often the log had been put back when each transaction was first sent, by hash. */
  readonly putBackBefore: ReadonlyMap<string, number>
}

export const openStage = (
  fixture: Fixture,
  random: Random,
  scheduler: Scheduler,
  note: (line: string) => void,
  plant: PlantedBug,
): Stage => {
  const network = openNetwork(fixture.ledger, fixture.startMs)
  const vaultFile = copyOf(fixture.vaultFile)
  const freshId = idsFrom(1)
  const unmatchedHashes = new Set<string>()
  const keptFreezes = keptInMemory()
  const watchers: Array<Watcher> = []
  const witnessed = new Set<string>()
  let [timesPutBack, isRolledBackNow] = [0, false]
  const putBackBefore = new Map<string, number>()
  network.whenSent((envelope) => {
    const { transactionHash } = right(readEnvelope(envelope, network.gateway.networkPassphrase))
    if (!putBackBefore.has(transactionHash)) putBackBefore.set(transactionHash, timesPutBack)
  })

  const openWhole = servicesOpener(fixture, network, vaultFile, freshId)
  const open = (name: string): RunningProcess => {
    const process = { name, isAlive: true }
    const whole = watched(openWhole(), watchers, scheduler.current)
    const services = plant(servicesThrough(scheduler, process, whole, keptFreezes))
    const worker = createWorker(services, 'testnet', ({ _tag }) => note(`${name} halts: ${_tag}`), {
      onTrouble: ({ _tag }) => note(`${name} has a problem: ${_tag}`),
      onSetback: ({ _tag, loop, failure, cause }) => {
        note(`${name} reports: ${_tag} ${loop} ${failure}`)
        if (_tag === 'MerchantSetBack' && failure === 'Defect') scheduler.defects.push(`${name}, ${loop}: ${cause}`)
      },
      onLogStanding: ({ _tag }) => {
        note(`${name} finds the log ${_tag}`)
        isRolledBackNow ||= _tag === 'RolledBack'
      },
    })
    if (worker === null) throw new Error('the network is missing')
    const check = timesPutBack > 0 ? services.logStanding.check : async () => undefined
    let checking: Promise<unknown> | null = null
    const checked = () => {
      checking ??= check()
      return checking
    }
    return { process, billing: createBilling(services), worker, checked, isStepping: false }
  }
  const { processNamed, restart } = processTable(open, scheduler, note)
  const anyServer = () => processNamed(random.oneOf(servers))
  const submit = (envelope: string): string | null => {
    const submitted = network.submit(envelope)
    note(`the network answers ${E.isRight(submitted) ? submitted.right.status : 'malformed'}`)
    return E.isRight(submitted) ? submitted.right.hash : null
  }
  const faultFree = openWhole()
  /** Sends a request that is not refused while the log has gone back. */
  const operate: Stage['visit'] = (name, question, heard) => {
    const { process, billing, checked } = anyServer()
    const work = async () => {
      await checked()
      return question(billing)()
    }
    scheduler.start(process, name, timesPutBack > 0 ? work : question(billing), (outcome) => {
      if (E.isRight(outcome)) heard?.(outcome.right)
    })
  }
  return {
    fixture,
    network,
    scheduler,
    random,
    note,
    anyServer,
    visit: (name, question, heard) =>
      operate(name, (billing) => (isRolledBack(billing) ? async () => refusal : question(billing)), heard),
    operate,
    restart,
    putBack: (change) => {
      for (const name of processes) restart(name)
      change()
      timesPutBack += 1
      Object.assign(faultFree, openWhole())
      for (const { putBack } of watchers) putBack?.()
    },
    isPutBack: () => timesPutBack > 0,
    acceptLog: () => {
      if (!isRolledBackNow) return
      const request = { by: asText(operator), reason: asText('it is known'), isForced: false }
      operate(
        'an acceptance of the log',
        ({ log }) => log.accept(request),
        () => {
          isRolledBackNow = false
        },
      )
    },
    step: (name) => {
      const one = processNamed(name)
      if (one.isStepping) return
      one.isStepping = true
      scheduler.start(one.process, 'a step', one.worker.step, (outcome) => {
        one.isStepping = false
        note(`${name} has done a step: ${E.isRight(outcome) ? 'Right' : outcome.left._tag}`)
      })
    },
    submitDirectly: (envelope) => void submit(envelope),
    submitUnmatched: (envelope) => {
      const hash = submit(envelope)
      if (hash !== null) unmatchedHashes.add(hash)
    },
    unmatchedHashes,
    faultFree,
    watch: (watcher) => void watchers.push(watcher),
    witness: (violation) => {
      note(`broken: ${violation}`)
      witnessed.add(violation)
    },
    witnessed,
    wrongAccess: new Set(),
    granted: new Set(),
    sentTooEarly: new Set(),
    putBackBefore,
  }
}

/** The HTTP service refuses commands while the log has gone back. */
export const isRolledBack = ({ log }: Billing): boolean => log.standing()._tag === 'RolledBack'
export const refusal = E.left({ _tag: 'Withheld' })
