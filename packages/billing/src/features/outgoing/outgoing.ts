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
import { type Executed, type ExecuteFailure, execute, executeLater, fold } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Network, Services } from '../../services/services.ts'
import type { LedgerRoom } from './ledger-room.ts'
import type { Raise } from './trouble.ts'
import type { Turns } from './turns.ts'

/** What the walk stands on. `ingested` is the newest ledger of which everything was handled. */
export type Outgoing = {
  readonly services: Services
  readonly network: Network
  readonly ingested: LedgerHead
  readonly raise: Raise
  readonly turns: Turns
  readonly ledgerRoom: LedgerRoom
}

/** Who gives a step, and the time of it. */
type By = Pick<Outgoing, 'services'> & { readonly ingested: Pick<LedgerHead, 'closedAt'> }

/** A transaction with less time than this is not sent any more: it would hardly reach a ledger. */
export const leastLeftMs = 30 * secondMs

/** Up to when (Unix milliseconds) things are due: clocks of machines may be behind the network's. */
export const dueBy = ({ services, ingested }: Pick<Outgoing, 'services' | 'ingested'>): number =>
  Math.max(services.clock.now(), ingested.closedAt)

/** A transaction of ours, and whose money it moves: the platform's where it is that of many. */
export type Ours = Scope & { readonly hash: TransactionHash }

/** Names a transaction for ever: the cause of each step of its walk. */
export const transactionName = ({ environment, hash }: Ours): string => `${environment}/${hash}`

/** Gives a step of a transaction's walk to its own stream. */
export const toTransaction = (
  { services, ingested }: By,
  ours: Ours,
  step: string,
  command: LedgerTransactionCommand,
): TE.TaskEither<LedgerTransactionRejection | ExecuteFailure, Executed<LedgerTransactionState>> =>
  executeLater(services.store)(
    LedgerTransaction,
    ours.hash,
    stepContext(ours, transactionName(ours), step, ingested.closedAt),
    LedgerTransaction.decider.decide(command),
  )

/** Gives a step of a transaction's walk to one of its intents, whoever's it is. */
export const toIntent =
  (
    { services, ingested }: By,
    ours: Ours,
    id: IntentId,
    command: IntentCommand,
  ): TE.TaskEither<IntentRejection | ExecuteFailure, Executed<IntentState>> =>
  async () => {
    const scope = await scopeOf(services, ours, id)
    if (E.isLeft(scope)) return scope
    const context = stepContext(scope.right, transactionName(ours), `${command.type} ${id}`, ingested.closedAt)
    return execute(services.store)(Intent, id, context, Intent.decider.decide(command))
  }

/** A call of many charges is the platform's, and each charge its merchant's. */
const scopeOf = async ({ store }: Services, ours: Ours, id: IntentId): Promise<E.Either<StoreUnavailable, Scope>> => {
  if (ours.merchantId !== platform) return E.right(ours)
  const stream = await store.readStream(`${Intent.category}-${id}`)()
  if (E.isLeft(stream)) return stream
  const [first] = stream.right.events
  return E.right(first === undefined ? ours : { ...ours, merchantId: first.metadata.merchantId })
}

/** Where a transaction stands now. */
export const transactionNow =
  ({ store }: Services, { hash }: Ours): TE.TaskEither<StoreUnavailable, LedgerTransactionState> =>
  async () =>
    E.map(({ events }: { events: Parameters<typeof fold>[1] }) => fold(LedgerTransaction, events))(
      await store.readStream(`${LedgerTransaction.category}-${hash}`)(),
    )

/** The intents of a transaction, each with its owner and its place. */
export const itemsOf = ({ readModels }: Pick<Services, 'readModels'>, ours: Ours, intents: ReadonlyArray<IntentId>) =>
  intents.map((id, index) => {
    const { merchantId } = readModels.intents.withId(id) ?? ours
    return { merchantId, environment: ours.environment, id, index }
  })

/** How many intents are told of something side by side: what they write shares commits. */
export const intentsAtOnce = 8
