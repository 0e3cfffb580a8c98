import {
  type Environment,
  Intent,
  type IntentCommand,
  type IntentId,
  type IntentRejection,
  type IntentState,
  LedgerTransaction,
  type LedgerTransactionCommand,
  type LedgerTransactionRejection,
  type LedgerTransactionState,
  secondMs,
  type TransactionHash,
} from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { Executed, ExecuteFailure } from '../../kernel/execute.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { IsolationServices } from '../../services/each-isolated.ts'
import type { Network, Services } from '../../services/services.ts'
import type { LedgerRoom } from './ledger-room.ts'
import type { Weightless } from './signing-accounts.ts'
import type { Raise } from './trouble.ts'
import type { Turns } from './turns.ts'

/** What the work on money that goes out may touch. */
export type OutgoingServices = IsolationServices &
  Pick<
    Services,
    | 'parked'
    | 'vault'
    | 'settlementOf'
    | 'logStanding'
    | 'freezing'
    | 'screening'
    | 'holding'
    | 'awaitingRate'
    | 'justArrived'
  >

/** The context in which money goes out of one network. `ingested` is the newest ledger that is handled completely. */
export type Outgoing = {
  readonly services: OutgoingServices
  readonly network: Network
  readonly ingested: LedgerHead
  /** The newest ledger when this process first looked. */
  readonly firstSeen: LedgerHead
  readonly raise: Raise
  readonly turns: Turns
  readonly ledgerRoom: LedgerRoom
  readonly weightless: Weightless
}

/** The store that a step is written to, and the time of the step. */
export type StepTarget = {
  readonly services: Pick<Services, 'store'>
  readonly ingested: Pick<LedgerHead, 'closedAt'>
}

/** A transaction with less time left is not sent: it would hardly reach a ledger. */
export const leastLeftMs = 30 * secondMs

/** The time (Unix milliseconds) until which work is due: a machine's clock may be behind the network's. */
export const dueBy = (
  { services, ingested }: Pick<Outgoing, 'services' | 'ingested'>,
  environment: Environment,
): number => Math.max(services.clock.now(environment), ingested.closedAt)

/** A transaction of ours, and the merchant whose money it moves: the platform where it moves that of many. */
export type Ours = Scope & { readonly hash: TransactionHash }

/** The permanent name of a transaction: the cause of each of its steps. */
export const transactionName = ({ environment, hash }: Ours): string => `${environment}/${hash}`

/** Gives a command to a transaction. Null for a rejection that is `expected`, because another process was first. */
export const toTransaction = (
  { services, ingested }: StepTarget,
  ours: Ours,
  expected: ReadonlyArray<LedgerTransactionRejection['_tag']>,
  step: string,
  command: LedgerTransactionCommand,
): Promise<E.Either<ExecuteFailure, Executed<LedgerTransactionState> | null>> =>
  stepUnless(services.store)(
    expected,
    LedgerTransaction,
    ours.hash,
    stepContext(ours, transactionName(ours), step, ingested.closedAt),
    LedgerTransaction.decider.decide(command),
  )

/** Gives a command to an intent of a transaction, for the intent's own merchant. Null as for `toTransaction`. */
export const toIntent = async (
  { services, ingested }: StepTarget,
  ours: Ours,
  expected: ReadonlyArray<IntentRejection['_tag']>,
  id: IntentId,
  command: IntentCommand,
): Promise<E.Either<ExecuteFailure, Executed<IntentState> | null>> => {
  const scope = await scopeOf(services, ours, id)
  if (E.isLeft(scope)) return scope
  const context = stepContext(scope.right, transactionName(ours), `${command.type} ${id}`, ingested.closedAt)
  return stepUnless(services.store)(expected, Intent, id, context, Intent.decider.decide(command))
}

/** A call of many charges is the platform's, and each charge its merchant's. */
const scopeOf = async (
  { store }: Pick<Services, 'store'>,
  ours: Ours,
  id: IntentId,
): Promise<E.Either<StoreUnavailable, Scope>> => {
  if (ours.merchantId !== platform) return E.right(ours)
  const stream = await store.readStream(`${Intent.category}-${id}`)()
  if (E.isLeft(stream)) return stream
  const [first] = stream.right.events
  return E.right(first === undefined ? ours : { ...ours, merchantId: first.metadata.merchantId })
}

export const transactionNow = async (
  { store }: Pick<Services, 'store'>,
  { hash }: Ours,
): Promise<E.Either<StoreUnavailable, LedgerTransactionState>> => {
  const found = await stateOf(store)(LedgerTransaction, hash)
  return E.isLeft(found) ? found : E.right(found.right.state)
}

/** The intents of a transaction, each with its merchant and its index. */
export const itemsOf = async (
  { readModels }: Pick<Services, 'readModels'>,
  ours: Ours,
  intents: ReadonlyArray<IntentId>,
) =>
  await Promise.all(
    intents.map(async (id, index) => {
      const { merchantId } = (await readModels.intents.withId(id)) ?? ours
      return { merchantId, environment: ours.environment, id, index }
    }),
  )

/** How many intents are written side by side, so that they share commits. */
export const intentsAtOnce = 8
