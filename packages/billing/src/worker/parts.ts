import type { Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { anchorCheckpoint } from '../audit/anchors/anchor-checkpoint.ts'
import { watchInvariants } from '../books/invariants/watch.ts'
import { comparePassedOver, type PassedOverMemory } from '../books/reconciliation/compare-passed-over.ts'
import { settle } from '../dispatch/settle.ts'
import type { ContractRent } from '../features/contract-rent/contract-rent.ts'
import { keepContracts } from '../features/contract-rent/keep-contracts.ts'
import { backfillCredits } from '../features/credits/backfill.ts'
import { resumeExceptions } from '../features/exceptions/resume.ts'
import type { migrationWork } from '../features/migrations/work-off.ts'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { resumePayouts } from '../features/payouts/resume.ts'
import type { runPayoutSchedules } from '../features/payouts/run-schedules.ts'
import { type NoticeMemory, workOffPriceChanges } from '../features/price-changes/work-off.ts'
import { resumeRefunds } from '../features/refunds/resume.ts'
import { resumeSetUps } from '../features/settlement-account/resume-set-ups.ts'
import type { SetUpMemory } from '../features/settlement-account/setting-up.ts'
import { raiseAlarms } from '../features/subscriptions/alarms.ts'
import { mostWatched, type PayerWatch, watchPayers } from '../features/subscriptions/watch-payers.ts'
import { workOffSubscriptions } from '../features/subscriptions/work-off-due.ts'
import { endDueSessions } from '../ingest/deadlines.ts'
import { placeAwaiting } from '../ingest/incoming-payments.ts'
import { placeParked } from '../ingest/parking/ingest.ts'
import { resolvePendingPayments } from '../ingest/pending-payments.ts'
import type { Part } from '../services/each-isolated.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Services } from '../services/services.ts'
import type { Violation } from '../stores/invariant.ts'
import { sendRelays } from './send-relays.ts'
import { sweep } from './sweep.ts'

type Step = Outgoing & {
  readonly services: Services

  readonly environment: Environment
  readonly setUp: SetUpMemory
  readonly contractRent: ContractRent
  readonly passedOver: PassedOverMemory
  readonly place: Parameters<typeof placeParked>[2]
  readonly migrate: ReturnType<typeof migrationWork>
  readonly noticed: NoticeMemory
  readonly runSchedules: ReturnType<typeof runPayoutSchedules>
  readonly onViolation: (violation: Violation) => void
  readonly mostMoved: number
  readonly payers: PayerWatch
  /** A sweep also looks for work that is on no list. */
  readonly isSweep: boolean
  readonly isNewLedger: boolean
  /** Reports that the step leaves work that is due now to the next step. */
  readonly leaveMore: () => void
}

/** The parts of a step, in the order in which they run. */
export const partsOf = (step: Step): ReadonlyArray<Part> => {
  const { services, environment, network, ingested, raise, place, onViolation, mostMoved, isSweep, isNewLedger } = step
  const { closedAt } = ingested
  let isMoreParked = false
  return [
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
      // Only a new ledger changes the outcome of a transaction. Sessions end afterwards: some wait for that outcome.
      loop: 'pending_payments',
      run: () =>
        onlyIf(isNewLedger, async () => {
          await sendRelays(services, network, environment, ingested)
          return resolvePendingPayments(services, environment, ingested, isSweep)
        }),
    },
    { loop: 'deadlines', run: () => endDueSessions(services, environment, closedAt) },
    {
      // Sessions that have just ended leave exceptions, which this step returns.
      loop: 'exceptions',
      run: () => resumeExceptions(services, raise, environment),
    },
    // Refunds and returns go before payouts.
    { loop: 'payout_schedules', run: () => step.runSchedules(environment, closedAt) },
    { loop: 'payouts', run: () => resumePayouts(services, environment) },
    {
      loop: 'payers',
      run: () => onlyIf(isNewLedger, () => watchPayers(step, environment, mostWatched, step.payers)),
    },
    {
      loop: 'migrations',
      run: async () => {
        const asked = await step.migrate(ingested)
        if (E.isRight(asked) && asked.right) step.leaveMore()
        return asked
      },
    },
    {
      loop: 'price_changes',
      run: async () => {
        const told = await workOffPriceChanges(step, environment)
        if (E.isRight(told) && told.right) step.leaveMore()
        return told
      },
    },
    { loop: 'subscriptions', run: () => workOffSubscriptions(step, mostMoved, environment) },
    { loop: 'alarms', run: () => raiseAlarms(services, raise)(environment, closedAt) },
    { loop: 'set_up', run: () => onlyIf(isNewLedger, () => resumeSetUps({ ...step, ...step.setUp }, environment)) },
    { loop: 'passed_over', run: () => onlyIf(isNewLedger, () => compareAfterPassing(step)) },
    { loop: 'contract_rent', run: () => onlyIf(isNewLedger, () => keepContracts(step, environment)) },
    { loop: 'anchors', run: () => onlyIf(isNewLedger, () => anchorCheckpoint(step, environment)) },
    { loop: 'dispatch', run: () => settle(step, environment, isNewLedger) },
    {
      // Charges that have just ended make work due, which does not wait for another ledger.
      loop: 'follow_up',
      run: async () => {
        const moved = await workOffSubscriptions(step, mostMoved, environment)
        if (isMoreParked || (E.isRight(moved) && moved.right)) step.leaveMore()
        return moved
      },
    },
    { loop: 'invariants', run: () => watchInvariants(services, environment, closedAt, onViolation) },
  ]
}

/** The alarm lasts as long as the process, because nothing that it ingests explains the difference. */
const compareAfterPassing = async (step: Step): Promise<E.Either<ProcessFailure, void>> => {
  const { services, network, environment, ingested, passedOver, raise } = step
  const compared = await comparePassedOver(services, network, environment, ingested, passedOver)
  const { differing } = passedOver
  if (differing !== null) raise({ _tag: 'PassedOverDiffers', ledger: differing.asOf, differing: differing.differing })
  return compared
}

/** Runs a part whose work is not due with every step. */
const onlyIf = async (
  isDue: boolean,
  work: () => Promise<E.Either<ProcessFailure, unknown>>,
): Promise<E.Either<ProcessFailure, unknown>> => (isDue ? work() : E.right(undefined))
