import {
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
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Executed, type ExecuteFailure, execute, fold } from '../execute.ts'
import type { StoreUnavailable } from '../load.ts'
import { stepContext } from '../processes/steps.ts'
import type { Network, Services } from '../services.ts'
import type { Raise } from './trouble.ts'

/** What the walk stands on. `walked` is the newest ledger of which everything was handled. */
export type Outgoing = {
  readonly services: Services
  readonly network: Network
  readonly walked: LedgerHead
  readonly raise: Raise
}

/** A transaction with less time than this is not sent any more: it would hardly reach a ledger. */
export const leastLeftMs = 30 * secondMs

/** Up to when (Unix milliseconds) things are due: clocks of machines may be behind the network's. */
export const dueBy = ({ services, walked }: Pick<Outgoing, 'services' | 'walked'>): number =>
  Math.max(services.clock.now(), walked.closedAt)

/** A transaction of ours, and whose money it moves. */
export type Ours = Scope & { readonly hash: TransactionHash }

/** Names a transaction for ever: the cause of each step of its walk. */
export const transactionName = ({ environment, hash }: Ours): string => `${environment}/${hash}`

/** Gives a step of a transaction's walk to its own stream. */
export const toTransaction = (
  { services, walked }: Pick<Outgoing, 'services' | 'walked'>,
  ours: Ours,
  step: string,
  command: LedgerTransactionCommand,
): TE.TaskEither<LedgerTransactionRejection | ExecuteFailure, Executed<LedgerTransactionState>> =>
  execute(services.store)(
    LedgerTransaction,
    ours.hash,
    stepContext(ours, transactionName(ours), step, walked.closedAt),
    LedgerTransaction.decider.decide(command),
  )

/** Gives a step of a transaction's walk to one of its intents. */
export const toIntent = (
  { services, walked }: Pick<Outgoing, 'services' | 'walked'>,
  ours: Ours,
  id: IntentId,
  command: IntentCommand,
): TE.TaskEither<IntentRejection | ExecuteFailure, Executed<IntentState>> =>
  execute(services.store)(
    Intent,
    id,
    stepContext(ours, transactionName(ours), `${command.type} ${id}`, walked.closedAt),
    Intent.decider.decide(command),
  )

/** Where a transaction stands now. */
export const transactionNow =
  ({ store }: Services, { hash }: Ours): TE.TaskEither<StoreUnavailable, LedgerTransactionState> =>
  async () =>
    E.map(({ events }: { events: Parameters<typeof fold>[1] }) => fold(LedgerTransaction, events))(
      await store.readStream(`${LedgerTransaction.category}-${hash}`)(),
    )
