import {
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
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { allOf } from '../../kernel/all-of.ts'
import { type CommandContext, type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import {
  isIn,
  orNotFound,
  retrieveLater,
  rowAfter,
  rowFrom,
  type StoreUnavailable,
  unlessDoneLater,
} from '../../kernel/load.ts'
import { type SubscriptionResource, subscriptionResource } from '../../resources/subscription.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { Services } from '../../services/services.ts'
import type { ProductNotFound } from '../products/products.ts'
import { type HistoryEntry, historyOf } from './history.ts'
import type { PriceFailure } from './price.ts'
import { type Related, related } from './related.ts'
import { type SwapFailure, swapTo } from './swap.ts'
import { syncWithLedger } from './sync.ts'

export type SubscriptionNotFound = Extract<SubscriptionRejection, { readonly _tag: 'SubscriptionNotFound' }>
export type SubscriptionFailure = SubscriptionRejection | ExecuteFailure | ProductNotFound | PriceFailure | SwapFailure

/** What may be changed: null leaves it. `cancelAtPeriodEnd` false undoes a cancellation that is scheduled. */
export type SubscriptionPatch = {
  readonly cancelAtPeriodEnd: boolean | null
  readonly metadata: unknown
  readonly productId: string | null
}

export type SubscriptionDetail = SubscriptionResource & Related

export interface Subscriptions {
  /**
   * As the ledger shows its authorisation: asked for two seconds at the most, and left out where nobody answers. `catchUp` is
   * waited for where the ledger shows an end of the mandate that was not read yet.
   */
  readonly retrieve: (
    scope: Scope,
    id: string,
    at?: UnixMs,
    catchUp?: T.Task<void>,
  ) => TE.TaskEither<StoreUnavailable | SubscriptionNotFound, SubscriptionDetail>
  /** As it is in the log, without asking the ledger. */
  readonly find: (
    scope: Scope,
    id: string,
  ) => TE.TaskEither<StoreUnavailable | SubscriptionNotFound, SubscriptionResource>
  readonly list: (page: PageRequest & { readonly listedUnder: string }) => T.Task<Listing<SubscriptionResource>>
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
  /** Charges what is owed at once, whatever the schedule says. */
  readonly retry: (context: CommandContext, id: string) => TE.TaskEither<SubscriptionFailure, SubscriptionResource>
  /** All that happened to it, and why, oldest first. */
  readonly history: (
    scope: Scope,
    id: string,
  ) => TE.TaskEither<StoreUnavailable | SubscriptionNotFound, ReadonlyArray<HistoryEntry>>
}

const notFound: SubscriptionNotFound = { _tag: 'SubscriptionNotFound' }

/** What customers have subscribed to. Charges are the processes' own business: nothing here makes one. */
export const subscriptions = (services: Services): Subscriptions => {
  const { store, readModels, clock, publicUrl } = services
  const show = (now: UnixMs) => subscriptionResource(publicUrl(), now)
  const run = (context: CommandContext, id: string, commands: ReadonlyArray<SubscriptionCommand>) =>
    TE.map(rowAfter(model, id))(executeLater(store)(Subscription, id, context, allOf(Subscription.decider, commands)))
  const shown = (context: CommandContext, id: string, command: SubscriptionCommand) =>
    TE.map(show(context.at))(run(context, id, [command]))
  const found = (scope: Scope, id: string) =>
    pipe(retrieveLater(store)(model, id, scope), TE.chainEitherKW(orNotFound(notFound)))
  const detailed = (scope: Scope, at: UnixMs) => (subscription: Found<SubscriptionRow>) =>
    pipe(
      related(services)(scope, subscription.row),
      TE.map((more) => ({ ...show(at)(subscription), ...more })),
    )

  return {
    retrieve: (scope, id, at, catchUp = async () => undefined) =>
      at === undefined
        ? pipe(
            found(scope, id),
            TE.chainFirstTaskK(({ row }) => async () => {
              if (await syncWithLedger(services)(scope, id, row)()) await catchUp()
            }),
            TE.chainW(() => found(scope, id)),
            TE.chainW(detailed(scope, clock.now())),
          )
        : pipe(asOf(services)(scope, id, at), TE.chainW(detailed(scope, at))),
    find: (scope, id) => TE.map(show(clock.now()))(found(scope, id)),
    list: (page) => () => listed(services, readModels.subscriptions, page, show(clock.now())),
    update: (context, id, patch) =>
      TE.map(show(context.at))(
        unlessDoneLater(store, context)(
          model,
          id,
          pipe(
            found(context, id),
            TE.chainW(({ row }) => commandsOf(services, context, row, patch)),
            TE.chainW((commands) => run(context, id, commands)),
          ),
        ),
      ),
    cancel: (context, id, when) => shown(context, id, { type: 'Cancel', when, at: context.at }),
    pause: (context, id) => shown(context, id, { type: 'Pause', at: context.at }),
    resume: (context, id) => shown(context, id, { type: 'Resume', at: context.at }),
    retry: (context, id) => shown(context, id, { type: 'RequestRetry', cause: 'demand', at: context.at }),
    history: historyOf(services),
  }
}

/** What a patch asks for, in the order in which it is decided. All of it is done, or nothing. */
const commandsOf = (
  services: Services,
  context: CommandContext,
  state: SubscriptionRecord,
  { cancelAtPeriodEnd, metadata, productId }: SubscriptionPatch,
): TE.TaskEither<SubscriptionFailure, ReadonlyArray<SubscriptionCommand>> => {
  const { at } = context
  const plain: ReadonlyArray<SubscriptionCommand> = [
    ...(metadata === undefined ? [] : [{ type: 'ChangeMetadata' as const, metadata }]),
    ...(cancelAtPeriodEnd === true ? [{ type: 'Cancel' as const, when: 'period_end' as const, at }] : []),
    ...(cancelAtPeriodEnd === false ? [{ type: 'UndoCancellation' as const, at }] : []),
  ]
  return productId === null
    ? TE.right(plain)
    : TE.map((swap: SubscriptionCommand) => [...plain, swap])(swapTo(services)(context, state, productId))
}

/** As it was at a moment, by what had happened then. */
const asOf =
  ({ store }: Services) =>
  (
    scope: Scope,
    id: string,
    at: UnixMs,
  ): TE.TaskEither<StoreUnavailable | SubscriptionNotFound, Found<SubscriptionRow>> =>
    pipe(
      store.readStream(`${Subscription.category}-${id}`),
      TE.map(({ events }) =>
        rowFrom(
          model,
          id,
          events.filter(({ metadata }) => metadata.occurredAt <= at),
        ),
      ),
      TE.chainEitherKW((row) =>
        orNotFound(notFound)(O.filter((each: Found<SubscriptionRow>) => isIn(scope, each))(row)),
      ),
    )
