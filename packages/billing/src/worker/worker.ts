import { type Environment, hourMs, unixMs } from '@quittance/domain'
import { createIngestion, type Halted, type LedgerHead } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { openPassedOver } from '../books/reconciliation/compare-passed-over.ts'
import { explainLedger } from '../books/reconciliation/explain-ledger.ts'
import { type NameTag, nameCounter } from '../features/book-lines/name-counter.ts'
import { type ContractRent, openContractRent } from '../features/contract-rent/contract-rent.ts'
import { migrationWork } from '../features/migrations/work-off.ts'
import { openLedgerRoom } from '../features/outgoing/ledger-room.ts'
import { openTroubles, type Raise, type SettlementTrouble } from '../features/outgoing/trouble.ts'
import { openTurns } from '../features/outgoing/turns.ts'
import { runPayoutSchedules } from '../features/payouts/run-schedules.ts'
import { setUpMemory, wakeFunded } from '../features/settlement-account/setting-up.ts'
import { payerWatch } from '../features/subscriptions/watch-payers.ts'
import { mostInOneStep } from '../features/subscriptions/work-off-due.ts'
import { placeOrPark } from '../ingest/parking/ingest.ts'
import { sharesOf } from '../ingest/parking/shares-of.ts'
import { recordPassedOver } from '../ingest/passed-over.ts'
import { placeShare } from '../ingest/place-share.ts'
import { forgottenIn, suspectLog } from '../ingest/recovery/forgotten.ts'
import { ownKeysIn } from '../ingest/recovery/own-accounts.ts'
import { partsIsolated } from '../services/each-isolated.ts'
import type { NotInRole } from '../services/in-role.ts'
import type { LogStanding } from '../services/log-standing.ts'
import { lookedUpOnce, ownersIn, watchedIn } from '../services/owners.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import { mandateContractsOf, type Services } from '../services/services.ts'
import type { Violation } from '../stores/invariant.ts'
import type { Share } from '../stores/parked/share.ts'
import type { SetbackNotification } from '../stores/setbacks/setbacks.ts'
import { nextDueAfter } from './next-due.ts'
import { partsOf } from './parts.ts'
import { openProtocolWatch, type ProtocolWatch } from './protocol-watch.ts'
import { watchForReset } from './reset-watch.ts'

/** Why a step stopped early. The next step begins where this one left off. */
export type StepFailure = ProcessFailure | Halted | NotInRole

/** Does all the work of one environment that no request asks for. */
export interface Worker {
  /** Ingests the ledgers that have closed, then works off what is due. Steps of one worker never overlap. */
  readonly step: TE.TaskEither<StepFailure, void>
  /**
   * When the next thing falls due that no step has worked off yet (Unix milliseconds). The close time of the newest
   * ingested ledger, if the last step left work that is due; null when nothing is waiting.
   */
  readonly nextDue: T.Task<number | null>
  /** Why ingestion has halted, as this worker found it; null once it continues. `Halts` tell all processes of a database. */
  readonly halted: () => Halted | null
  /** What keeps money from going out, as the last step found it. */
  readonly troubles: () => ReadonlyArray<SettlementTrouble>
  /**
   * How many changes of balances this worker has named, by their tags. A ledger that is ingested again counts again.
   */
  readonly named: () => Readonly<Record<NameTag, number>>
  /** The network's protocol beside what this release reads; null until a node has answered. */
  readonly protocol: ProtocolWatch['standing']
  /** How long the contracts that mandates name live, as last read from the ledger. */
  readonly contractLives: () => ContractRent['lives']
}

/** Ledgers of a busy network take megabytes each, and two batches are held at once. */
const batchSize = 10
const betweenSweepsMs = hourMs

/** What a worker tells beside halts, and how much it does at once. Callbacks must not throw. */
export type WorkerOptions = {
  /** Each new trouble that keeps money from going out. */
  readonly onTrouble?: Raise
  /** Each violated invariant. */
  readonly onViolation?: (violation: Violation) => void
  /** Items of a merchant begin to fail in a loop, or none fails any more. */
  readonly onSetback?: (notification: SetbackNotification) => void
  /** The log turns out to have gone back, or that is accepted. */
  readonly onLogStanding?: (standing: LogStanding) => void
  /** How many subscriptions a step moves at most before it sends money, and as many afterwards. */
  readonly mostMoved?: number
}

const ignore = (): void => undefined

/**
 * Makes the worker of an environment; null where the environment has no network. `alarm` is called once for each new
 * reason that halts ingestion.
 */
export const createWorker = (
  services: Services,
  environment: Environment,
  alarm: (halted: Halted) => void,
  options: WorkerOptions = {},
): Worker | null => {
  const network = services.networks[environment]
  if (network === null) return null
  const { onTrouble = ignore, onViolation = ignore, onSetback = ignore, onLogStanding = ignore } = options
  const { mostMoved = mostInOneStep } = options
  const { readModels, caughtUp, cursors, halts, clock, setbacks, logStanding } = services

  let halted: Halted | null = null
  const troubles = openTroubles(
    onTrouble,
    async (hash) => (await readModels.ledgerTransactions.withId(hash))?.row.status === 'released',
  )
  const ownerOf = ownersIn(services, environment)
  const explain = (share: Share) => explainLedger(services, environment, ownerOf, onViolation, share)
  const named = nameCounter()
  const turns = openTurns()
  const ledgerRoom = openLedgerRoom(network.gateway)
  const ownKeys = ownKeysIn(services, environment, ownerOf)
  const place = placeShare({ services, environment, ownerOf, explain, count: named.count, raise: troubles.raise })
  const ingest = placeOrPark(services, environment, place)
  const setUp = setUpMemory(network)
  const passedOver = openPassedOver()
  const protocol = openProtocolWatch(services, network, environment, troubles.raise, () => passedOver.ledgers)
  const ingestion = createIngestion<ProcessFailure>({
    gateway: network.gateway,
    cursor: cursors.of(environment),
    // Another process may create merchants, and an incoming payment that is passed over is never met again.
    watched: watchedIn(services, ownerOf),
    onLedger: (ledger) => async () => {
      const forgotten = await forgottenIn(services, environment, await ownKeys(), ledger)
      const suspected = await suspectLog(services, environment, forgotten)
      if (E.isLeft(suspected)) return suspected
      const id = `ledger ${ledger.sequence}`
      const shares = await sharesOf(services, environment, lookedUpOnce(ownerOf), { ...ledger, id, forgotten })
      const ingested = await ingest(shares)
      if (E.isLeft(ingested)) return ingested
      wakeFunded(setUp, ledger)
      ledgerRoom.ingested(ledger)
      return ingested
    },
    mandateContracts: () => mandateContractsOf(services, environment),
    ownAccounts: async () => {
      const keysOf = await ownKeys()
      return { has: async (account) => (await keysOf(account)).length > 0 }
    },
    onPassedOver: (ledger) => () => {
      passedOver.isPending = true
      protocol.askAgain()
      return recordPassedOver(services, environment, ledger)
    },
    alarm: (reason) => {
      halted = reason
      alarm(reason)
    },
    batchSize,
    firstLedger: 'latest',
  })

  const migrate = migrationWork(services, environment)
  const runSchedules = runPayoutSchedules(services)
  const outgoing = { services, network, raise: troubles.raise, turns, ledgerRoom, weightless: new Map() }
  const contractRent = openContractRent()
  const state = {
    environment,
    setUp,
    contractRent,
    noticed: new Map(),
    passedOver,
    place,
    migrate,
    runSchedules,
    onViolation,
    mostMoved,
    payers: payerWatch(network),
  }

  let sweptAt: number | null = null
  let settledThrough: number | null = null
  let firstSeen: LedgerHead | null = null
  let leavesMore = false
  const leaveMore = (): void => {
    leavesMore = true
  }
  const workOff = async (ingested: LedgerHead, began: LedgerHead): Promise<E.Either<ProcessFailure, void>> => {
    const caught = await caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const now = clock.now(environment)
    const failedBefore = await setbacks.recorded()
    const lastSweep = sweptAt
    const isSetBack = (await setbacks.of(environment, 'sweep')).some(({ nextAt }) => nextAt <= now)
    const isSweep = lastSweep === null || now - lastSweep >= betweenSweepsMs || isSetBack
    // Until this step is complete: the next step sweeps for whatever this one leaves half done.
    sweptAt = null
    const isNewLedger = isSweep || ingested.sequence !== settledThrough
    const parts = partsOf({ ...outgoing, ...state, ingested, firstSeen: began, isSweep, isNewLedger, leaveMore })
    const worked = await partsIsolated(services, environment, parts)
    if (E.isLeft(worked)) return worked
    if (isNewLedger) await troubles.settled()
    settledThrough = ingested.sequence
    // Work that failed halfway may be on no list: the next step sweeps for it.
    if ((await setbacks.recorded()) === failedBefore) sweptAt = isSweep ? now : lastSweep
    return worked
  }

  const ingestAndWorkOff = async (): Promise<E.Either<StepFailure, void>> => {
    // Before ingestion, which may write events that the log has lost.
    const checked = await logStanding.check()
    if (E.isLeft(checked)) return checked
    const begun = await beginBehindFirstAccount(services, environment)
    if (E.isLeft(begun)) return begun
    const isResetting = await services.epochs.of(environment)
    if (E.isLeft(isResetting)) return isResetting
    if (isResetting.right.resetUnderWay !== null) {
      troubles.raise({ _tag: 'NetworkReset' })
      return E.right(undefined)
    }
    const ingested = await ingestion.step()
    if (E.isRight(ingested)) halted = null
    await halts.record(environment, halted)
    const isReset = await watchForReset(services, network.gateway, environment, halted, troubles.raise)
    if (E.isLeft(isReset)) return isReset
    await protocol.look(halted)
    if (E.isLeft(ingested)) return ingested
    if (isReset.right) return E.right(undefined)
    const { handled, latest } = ingested.right
    firstSeen ??= latest
    if (handled === null) return E.right(undefined)
    logStanding.ingested(environment, handled, latest)
    return logStanding.mayAct(environment) ? workOff(handled, firstSeen) : E.right(undefined)
  }

  const stepOnce = async (): Promise<E.Either<StepFailure, void>> => {
    leavesMore = false
    const worked = await ingestAndWorkOff()
    for (const setback of await setbacks.takeNotifications(environment)) onSetback(setback)
    const standing = logStanding.takeNotification()
    if (standing !== null) onLogStanding(standing)
    return worked
  }

  let turn: Promise<unknown> = Promise.resolve()
  return {
    halted: () => halted,
    troubles: troubles.present,
    named: named.counts,
    protocol: protocol.standing,
    contractLives: () => contractRent.lives,
    step: () => {
      const done = turn.then(stepOnce)
      turn = done.catch(() => undefined)
      return done
    },
    nextDue: async () => {
      await caughtUp.withLog()
      const after = (await cursors.closedAt(environment)) ?? 0
      return leavesMore ? after : await nextDueAfter(services, environment, after)
    },
  }
}

/**
 * Without a cursor (it is new, or its file was lost), ingestion begins behind the set-up of the first watched account.
 * Ingesting a ledger again writes nothing twice. No log holds the close time of that ledger.
 */
const beginBehindFirstAccount = async (
  { readModels, caughtUp, cursors }: Services,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const cursor = await cursors.of(environment).load()()
  if (E.isLeft(cursor) || cursor.right !== null) return E.right(undefined)
  const caught = await caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const [first] = (await readModels.watchedAccounts.all())
    .flatMap(({ row }) => (row.environment === environment ? [row.setUpThrough] : []))
    .sort((one, other) => one - other)
  if (first !== undefined) await cursors.begin(environment, { sequence: first, closedAt: unixMs(0) })
  return E.right(undefined)
}
