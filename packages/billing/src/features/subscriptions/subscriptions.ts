import {
  AuthorizationId,
  Subscription,
  type SubscriptionCommand,
  type SubscriptionRecord,
  type SubscriptionRejection,
  type UnixMs,
} from '@quittance/domain'
import {
  type Found,
  subscriptions as model,
  type PageRequest,
  type Scope,
  type SubscriptionRow,
} from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { allOf } from '../../kernel/all-of.ts'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { retrieveExisting, rowAfter, type StoreUnavailable, unlessDone } from '../../kernel/load.ts'
import { type SubscriptionResource, subscriptionResource } from '../../resources/subscription.ts'
import { type Listing, listed } from '../../services/listing.ts'
import { payableReference } from '../../services/reference.ts'
import type { Services } from '../../services/services.ts'
import type { ProductNotFound } from '../products/products.ts'
import { type HistoryEntry, historyOf } from './history.ts'
import type { PriceFailure } from './price.ts'
import { type Related, related } from './related.ts'
import type { SubscriptionServices } from './services.ts'
import { type SwapFailure, swapTo } from './swap.ts'
import { syncWithLedger } from './sync.ts'

export type SubscriptionNotFound = Extract<SubscriptionRejection, { readonly _tag: 'SubscriptionNotFound' }>
export type SubscriptionFailure = SubscriptionRejection | ExecuteFailure | ProductNotFound | PriceFailure | SwapFailure

/** The fields to change; null leaves a field. `cancelAtPeriodEnd` false undoes a scheduled cancellation. */
export type SubscriptionPatch = {
  readonly cancelAtPeriodEnd: boolean | null
  readonly metadata: unknown
  readonly productId: string | null
}

export type SubscriptionDetail = SubscriptionResource & Related

export interface Subscriptions {
  /**
   * The authorisation is read from the ledger, for at most two seconds, and left out without an answer. If the ledger
   * shows an end of the mandate that was not ingested yet, `catchUp` is awaited.
   */
  readonly retrieve: (
    scope: Scope,
    id: string,
    catchUp?: T.Task<void>,
  ) => TE.TaskEither<StoreUnavailable | SubscriptionNotFound, SubscriptionDetail>
  /** As recorded, without asking the ledger. */
  readonly find: (
    scope: Scope,
    id: string,
  ) => TE.TaskEither<StoreUnavailable | SubscriptionNotFound, SubscriptionResource>
  readonly list: (page: PageRequest) => T.Task<Listing<SubscriptionResource>>
  readonly update: (
    context: CommandContext,
    id: string,
    patch: SubscriptionPatch,
  ) => TE.TaskEither<SubscriptionFailure, SubscriptionResource>
  readonly cancel: (
    context: CommandContext,
    id: string,
    when: 'period_end' | 'now',
  ) => TE.TaskEither<SubscriptionFailure, SubscriptionResource>
  readonly pause: (context: CommandContext, id: string) => TE.TaskEither<SubscriptionFailure, SubscriptionResource>
  readonly resume: (context: CommandContext, id: string) => TE.TaskEither<SubscriptionFailure, SubscriptionResource>
  /**
   * Asks for a mandate of another wallet, at `authorization.update_url`. Until one is on the ledger, the present wallet is
   * charged; its mandate ends afterwards. A request that is open already serves.
   */
  readonly changeWallet: (
    context: CommandContext,
    id: string,
  ) => TE.TaskEither<SubscriptionFailure, SubscriptionResource>
  /** Charges at once what is owed, outside the schedule. */
  readonly retry: (context: CommandContext, id: string) => TE.TaskEither<SubscriptionFailure, SubscriptionResource>
  /** All events, oldest first. */
  readonly history: (
    scope: Scope,
    id: string,
  ) => TE.TaskEither<StoreUnavailable | SubscriptionNotFound, ReadonlyArray<HistoryEntry>>
}

const notFound: SubscriptionNotFound = { _tag: 'SubscriptionNotFound' }

/** The subscriptions of a merchant's customers. Nothing here charges: only the worker does. */
export const subscriptions = (services: SubscriptionServices): Subscriptions => {
  const { store, readModels, clock, publicUrl } = services
  const show = (now: UnixMs) => subscriptionResource(publicUrl(), now)
  const run = (context: CommandContext, id: string, command: SubscriptionCommand) => async () => {
    const done = await execute(store)(Subscription, id, context, Subscription.decider.decide(command))
    return E.isLeft(done) ? done : E.right(show(context.at)(rowAfter(model, id)(done.right)))
  }
  return {
    retrieve: (scope, id, catchUp) => () => retrieveNow(services, scope, id, catchUp),
    find: (scope, id) => async () => E.map(show(clock.now(scope.environment)))(await found(services, scope, id)),
    list: (page) => () => listed(services, readModels.subscriptions, page, show(clock.now(page.environment))),
    update: (context, id, patch) => async () => {
      const updated = await unlessDone(store, context)(model, id, () => update(services, context, id, patch))
      return E.map(show(context.at))(updated)
    },
    cancel: (context, id, when) => run(context, id, { type: 'Cancel', when, at: context.at }),
    pause: (context, id) => run(context, id, { type: 'Pause', at: context.at }),
    resume: (context, id) => run(context, id, { type: 'Resume', at: context.at }),
    changeWallet: (context, id) => async () => {
      const authorizationId = createdId(AuthorizationId, context.at, context.commandId)
      const reference = await payableReference(services, context.environment, authorizationId)
      return run(context, id, { type: 'ChangeWallet', authorizationId, reference, at: context.at })()
    },
    retry: (context, id) => run(context, id, { type: 'RequestRetry', cause: 'demand', at: context.at }),
    history: (scope, id) => () => historyOf(services, scope, id),
  }
}

type FoundSubscription = Promise<E.Either<StoreUnavailable | SubscriptionNotFound, Found<SubscriptionRow>>>
type Detail = Promise<E.Either<StoreUnavailable | SubscriptionNotFound, SubscriptionDetail>>

const found = ({ store }: Pick<Services, 'store'>, scope: Scope, id: string): FoundSubscription =>
  retrieveExisting(store)(model, id, scope, notFound)

const retrieveNow = async (
  services: SubscriptionServices,
  scope: Scope,
  id: string,
  catchUp?: T.Task<void>,
): Detail => {
  const before = await found(services, scope, id)
  if (E.isLeft(before)) return before
  const isBehind = await syncWithLedger(services, scope, id, before.right.row)
  if (isBehind) await catchUp?.()
  const now = await found(services, scope, id)
  if (E.isLeft(now)) return now
  const more = await related(services, scope, now.right.row)
  if (E.isLeft(more)) return more
  const at = services.clock.now(scope.environment)
  return E.right({ ...subscriptionResource(services.publicUrl(), at)(now.right), ...more.right })
}

const update = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'vault' | 'settlementOf' | 'networks'>,
  context: CommandContext,
  id: string,
  patch: SubscriptionPatch,
): Promise<E.Either<SubscriptionFailure, Found<SubscriptionRow>>> => {
  const subscription = await found(services, context, id)
  if (E.isLeft(subscription)) return subscription
  const commands = await commandsOf(services, context, subscription.right.row, patch)
  if (E.isLeft(commands)) return commands
  const decide = allOf(Subscription.decider, commands.right)
  return E.map(rowAfter(model, id))(await execute(services.store)(Subscription, id, context, decide))
}

/** The commands of a patch, in the order in which they are decided. All of them take effect, or none. */
const commandsOf = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'vault' | 'settlementOf' | 'networks'>,
  context: CommandContext,
  state: SubscriptionRecord,
  { cancelAtPeriodEnd, metadata, productId }: SubscriptionPatch,
): Promise<E.Either<SubscriptionFailure, ReadonlyArray<SubscriptionCommand>>> => {
  const { at } = context
  const plain: ReadonlyArray<SubscriptionCommand> = [
    ...(metadata === undefined ? [] : [{ type: 'ChangeMetadata' as const, metadata }]),
    ...(cancelAtPeriodEnd === true ? [{ type: 'Cancel' as const, when: 'period_end' as const, at }] : []),
    ...(cancelAtPeriodEnd === false ? [{ type: 'UndoCancellation' as const, at }] : []),
  ]
  if (productId === null) return E.right(plain)
  const swap = await swapTo(services, context, state, productId)
  return E.isLeft(swap) ? swap : E.right([...plain, swap.right])
}
