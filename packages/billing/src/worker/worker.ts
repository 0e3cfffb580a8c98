import { type Environment, hourMs, secondMs, unixMs } from '@quittance/domain'
import { createIngestion, type Halted, type LedgerHead } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { watchInvariants } from '../books/invariants/watch.ts'
import { explainLedger } from '../books/reconciliation/explain-ledger.ts'
import { settle, settlementDues } from '../dispatch/settle.ts'
import { type NameTag, nameCounter } from '../features/book-lines/name-counter.ts'
import { backfillCredits } from '../features/credits/backfill.ts'
import { resumeExceptions } from '../features/exceptions/resume.ts'
import { openLedgerRoom } from '../features/outgoing/ledger-room.ts'
import { openTroubles, type Raise, type SettlementTrouble } from '../features/outgoing/trouble.ts'
import { openTurns } from '../features/outgoing/turns.ts'
import { resumePayouts } from '../features/payouts/resume.ts'
import { runPayoutSchedules } from '../features/payouts/run-schedules.ts'
import { resumeRefunds } from '../features/refunds/resume.ts'
import { resumeSetUps } from '../features/settlement-account/resume-set-ups.ts'
import { setUpMemory, wakeFunded } from '../features/settlement-account/setting-up.ts'
import { raiseAlarms } from '../features/subscriptions/alarms.ts'
import { watchPayers } from '../features/subscriptions/watch-payers.ts'
import { mostInOneStep, workOffSubscriptions } from '../features/subscriptions/work-off-due.ts'
import { endDueSessions } from '../ingest/deadlines.ts'
import { placeAwaiting } from '../ingest/incoming-payments.ts'
import { placeOrPark, placeParked } from '../ingest/parking/ingest.ts'
import { sharesOf } from '../ingest/parking/shares-of.ts'
import { resolvePendingPayments } from '../ingest/pending-payments.ts'
import { placeShare } from '../ingest/place-share.ts'
import { type Part, partsIsolated } from '../services/each-isolated.ts'
import { ownersIn, watchedIn } from '../services/owners.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import { mandateContractsOf, type Services } from '../services/services.ts'
import type { Violation } from '../stores/invariant.ts'
import type { Share } from '../stores/parked/share.ts'
import type { SetbackNotification } from '../stores/setbacks/setbacks.ts'
import { sendRelays } from './send-relays.ts'
import { sweep } from './sweep.ts'

/** Why a step stopped early. The next step begins where this one left off. */
export type StepFailure = ProcessFailure | Halted

/** All that has to be done without anyone asking, for one environment. */
export interface Worker {
  /** Walks what the ledger has closed, then works off what is due. Steps of one worker never overlap. */
  readonly step: TE.TaskEither<StepFailure, void>
  /**
   * When the next thing falls due that no step has come to yet (Unix milliseconds): the time of the ledger that was ingested
   * last when a step had more to do than it takes upon itself; null when nothing is waiting.
   */
  readonly nextDue: T.Task<number | null>
  /** Why the ledger cannot be followed any further, until a step can. */
  readonly halted: () => Halted | null
  /** Why money does not go out as it should, as the last step met it. */
  readonly troubles: () => ReadonlyArray<SettlementTrouble>
  /** How many changes of balances were named since this worker began, by what names them; ingested again, counted again. */
  readonly named: () => Readonly<Record<NameTag, number>>
}

/** Ledgers of a busy network take megabytes each, and two batches are held at once. */
const batchSize = 10
const betweenSweepsMs = hourMs

/**
 * `alarm` is called once for each new reason for which the ledger cannot be followed any further, `onTrouble` for each for
 * which money does not go out, `onViolation` for each invariant that is found violated, `onSetback` for each merchant whose items
 * of a loop have failed, and again once none does. A step moves `mostMoved` subscriptions,
 * and as many once more.
 */
export const createWorker = (
  services: Services,
  environment: Environment,
  alarm: (halted: Halted) => void,
  onTrouble: Raise = () => undefined,
  onViolation: (violation: Violation) => void = () => undefined,
  mostMoved = mostInOneStep,
  onSetback: (news: SetbackNotification) => void = () => undefined,
): Worker | null => {
  const network = services.networks[environment]
  if (network === null) return null
  const { readModels, caughtUp, cursors, clock, setbacks } = services

  let halted: Halted | null = null
  const troubles = openTroubles(
    onTrouble,
    (hash) => readModels.ledgerTransactions.withId(hash)?.row.status === 'released',
  )
  const ownerOf = ownersIn(services, environment)
  const explain = (share: Share) => explainLedger(services, environment, ownerOf, onViolation, share)
  const named = nameCounter()
  const turns = openTurns()
  const ledgerRoom = openLedgerRoom(network.gateway)
  const place = placeShare({ services, environment, ownerOf, explain, count: named.count, raise: troubles.raise })
  const ingest = placeOrPark(services, environment, place)
  const setUp = setUpMemory(network)
  const ingestion = createIngestion<ProcessFailure>({
    gateway: network.gateway,
    cursor: cursors.of(environment),
    // Not only this process makes merchants, and a credit that is passed by here is never met again.
    watched: watchedIn(services, ownerOf),
    onLedger: (ledger) =>
      pipe(
        () => ingest(sharesOf(services, environment, ownerOf, { ...ledger, id: `ledger ${ledger.sequence}` })),
        TE.tapIO(() => () => wakeFunded(setUp, ledger)),
        TE.tapIO(() => () => ledgerRoom.ingested(ledger)),
      ),
    mandateContracts: mandateContractsOf(network),
    alarm: (reason) => {
      halted = reason
      alarm(reason)
    },
    batchSize,
    firstLedger: 'latest',
  })

  const runSchedules = runPayoutSchedules(services)

  let sweptAt: number | null = null
  let resolvedThrough: number | null = null
  let settledThrough: number | null = null
  let leavesMore = false
  const workOff = async (ingested: LedgerHead): Promise<E.Either<ProcessFailure, void>> => {
    const caught = await caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const now = clock.now()
    const failedBefore = setbacks.recorded()
    const lastSweep = sweptAt
    const isSetBack = setbacks.of(environment, 'sweep').some(({ nextAt }) => nextAt <= now)
    const isSweep = lastSweep === null || now - lastSweep >= betweenSweepsMs || isSetBack
    // Until this step is through: what it leaves half done, the next one looks for.
    sweptAt = null
    const isNewLedger = isSweep || ingested.sequence !== settledThrough
    const carrying = { services, ingested }
    const outgoing = { services, network, ingested, raise: troubles.raise, turns, ledgerRoom }
    let isMoreParked = false
    const parts: ReadonlyArray<Part> = [
      { loop: 'sweep', run: () => onlyIf(isSweep, () => sweep(services, environment)) },
      {
        loop: 'ledger',
        run: async () => {
          const placed = await placeParked(services, environment, place)
          isMoreParked = E.isRight(placed) && placed.right
          return placed
        },
      },
      { loop: 'backfill', run: () => backfillCredits(services, environment) },
      { loop: 'awaiting_rate', run: () => placeAwaiting(services, environment) },
      { loop: 'refunds', run: () => resumeRefunds(services, environment) },
      {
        // What became of a transaction changes with a ledger. Sessions end afterwards: some wait for what this finds out.
        loop: 'pending_payments',
        run: () =>
          onlyIf(
            isSweep || ingested.sequence !== resolvedThrough,
            pipe(
              () => sendRelays(services, network, environment, ingested),
              TE.chainW(() => () => resolvePendingPayments(services, environment, ingested, isSweep)),
            ),
          ),
      },
      { loop: 'deadlines', run: () => endDueSessions(services, environment, ingested.closedAt) },
      {
        // What the ends of sessions have just left over goes back with this step.
        loop: 'exceptions',
        run: pipe(
          caughtUp.withLog,
          TE.chainW(() => () => resumeExceptions(services, troubles.raise, environment)),
        ),
      },
      // Behind refunds and returns, which go before payouts.
      { loop: 'payout_schedules', run: runSchedules(environment, ingested.closedAt) },
      { loop: 'payouts', run: () => resumePayouts(services, environment) },
      { loop: 'payers', run: () => onlyIf(isNewLedger, () => watchPayers(carrying, network, environment)) },
      { loop: 'subscriptions', run: () => workOffSubscriptions(carrying, mostMoved, environment) },
      { loop: 'alarms', run: () => raiseAlarms(services, troubles.raise)(environment, ingested.closedAt) },
      { loop: 'set_up', run: () => onlyIf(isNewLedger, () => resumeSetUps({ ...outgoing, ...setUp }, environment)) },
      { loop: 'dispatch', run: () => settle(outgoing, environment, isNewLedger) },
      {
        // What the ends of charges have just made due does not wait for another ledger.
        loop: 'follow_up',
        run: async () => {
          const followed = await workOffSubscriptions(carrying, mostMoved, environment)
          leavesMore = isMoreParked || (E.isRight(followed) && followed.right)
          return followed
        },
      },
      { loop: 'invariants', run: () => watchInvariants(services, environment, ingested.closedAt, onViolation) },
    ]
    const worked = await partsIsolated(services, environment, parts)
    if (E.isLeft(worked)) return worked
    resolvedThrough = ingested.sequence
    if (isNewLedger) troubles.settled()
    settledThrough = ingested.sequence
    // What has failed halfway may be on no list: the next step looks for it.
    if (setbacks.recorded() === failedBefore) sweptAt = isSweep ? now : lastSweep
    return worked
  }

  const stepOnce = async (): Promise<E.Either<StepFailure, void>> => {
    leavesMore = false
    const worked = await stepThrough()
    setbacks.takeNotifications(environment).forEach(onSetback)
    return worked
  }

  const stepThrough = async (): Promise<E.Either<StepFailure, void>> => {
    const begun = await beginWhereNothingIsMissed(services, environment)
    if (E.isLeft(begun)) return begun
    const ingested = await ingestion.step()
    if (E.isLeft(ingested)) return ingested
    halted = null
    const { handled } = ingested.right
    return handled === null ? E.right(undefined) : workOff(handled)
  }

  let turn: Promise<unknown> = Promise.resolve()
  return {
    halted: () => halted,
    troubles: troubles.present,
    named: named.counts,
    step: () => {
      const done = turn.then(stepOnce)
      turn = done.catch(() => undefined)
      return done
    },
    nextDue: async () => {
      await caughtUp.withLog()
      const after = cursors.closedAt(environment) ?? 0
      if (leavesMore) return after
      // A transaction that is awaited can be told dead once its time bounds have ended.
      const ends = [...readModels.payments.due(environment, after)].flatMap(({ row: { submitted } }) => {
        const maxTime = submitted.at(-1)?.maxTime
        return maxTime === undefined || maxTime < after ? [] : [maxTime + secondMs]
      })
      const dues = [
        readModels.checkouts,
        readModels.payments,
        readModels.subscriptions,
        readModels.payoutSchedules,
      ].map((table) => table.nextDue(environment, after))
      const next = setbacks.nextDue(environment)
      const again = next === null ? [] : [Math.max(next, after)]
      const ahead = [
        ...again,
        ...ends,
        ...dues.filter((due) => due !== null),
        ...settlementDues(services, environment, after),
      ]
      return ahead.length === 0 ? null : Math.min(...ahead)
    },
  }
}

/** A part whose work is not due with every step. */
const onlyIf = async <L>(isDue: boolean, work: TE.TaskEither<L, unknown>): Promise<E.Either<L, unknown>> =>
  isDue ? work() : E.right(undefined)

/**
 * Without a cursor (none was made yet, or its file is lost) the log says where to begin: behind the set-up of the first
 * account that is watched. What is ingested again writes nothing twice. When that ledger closed is in no log.
 */
const beginWhereNothingIsMissed = async (
  { readModels, caughtUp, cursors }: Services,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const cursor = await cursors.of(environment).load()()
  if (E.isLeft(cursor) || cursor.right !== null) return E.right(undefined)
  const caught = await caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const [first] = readModels.watchedAccounts
    .all()
    .flatMap(({ row }) => (row.environment === environment ? [row.setUpThrough] : []))
    .sort((one, other) => one - other)
  if (first !== undefined) cursors.begin(environment, { sequence: first, closedAt: unixMs(0) })
  return E.right(undefined)
}
