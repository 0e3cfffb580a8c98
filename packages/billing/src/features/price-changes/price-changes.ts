import { PriceChange } from '@quittance/domain'
import {
  type Found,
  priceChanges as model,
  type PageRequest,
  type PriceChangeProgress,
  type PriceChangeRow,
  type PriceChangeSubscriptionRow,
  priceChangeEntryId,
  type Scope,
} from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandContext, execute } from '../../kernel/execute.ts'
import { isIn, retrieveExisting, rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import {
  type PriceChangeEntryResource,
  type PriceChangeResource,
  priceChangeEntryResource,
  priceChangeResource,
} from '../../resources/price-change.ts'
import { subscriptionResource } from '../../resources/subscription.ts'
import { type Listing, listed } from '../../services/listing.ts'
import { type NewPriceChange, type PriceChangeFailure, schedulePriceChange } from './schedule.ts'
import type { PriceChangeServices } from './services.ts'

export type PriceChangeNotFound = { readonly _tag: 'PriceChangeNotFound' }

/** How many subscriptions are how far. */
export type CountedPriceChange = PriceChangeResource & {
  readonly progress: Readonly<Record<PriceChangeProgress, number>>
}

/** New prices for subscribers that a product has. */
export interface PriceChanges {
  /**
   * Each subscription hears of it, and asks its customer for consent where the mandate does not allow the new price. It counts
   * from the first period that begins at its date or later, and at least 30 days after the notice.
   */
  readonly schedule: (
    context: CommandContext,
    wanted: NewPriceChange,
  ) => TE.TaskEither<PriceChangeFailure, CountedPriceChange>
  readonly retrieve: (
    scope: Scope,
    id: string,
  ) => TE.TaskEither<StoreUnavailable | PriceChangeNotFound, CountedPriceChange>
  readonly list: (page: PageRequest) => T.Task<Listing<CountedPriceChange>>
  /** The subscriptions that have heard of it, by `status`: how far each is. */
  readonly subscriptions: (
    page: PageRequest & { readonly listedUnder: string },
  ) => T.Task<Listing<PriceChangeEntryResource>>
  readonly subscription: (
    scope: Scope,
    id: string,
    subscriptionId: string,
  ) => TE.TaskEither<StoreUnavailable | PriceChangeNotFound, PriceChangeEntryResource>
  /** Whoever waits for it keeps the old price; whoever pays the new one goes on with it. Repeated, it changes nothing. */
  readonly cancel: (context: CommandContext, id: string) => TE.TaskEither<PriceChangeFailure, CountedPriceChange>
}

export const priceChanges = (services: PriceChangeServices): PriceChanges => {
  const { store, readModels, caughtUp, publicUrl, clock } = services
  const counted = async (found: Found<PriceChangeRow>): Promise<CountedPriceChange> => ({
    ...priceChangeResource(found),
    progress: await readModels.priceChangeProgress.of(found, found.id),
  })
  const entry = async (found: Found<PriceChangeSubscriptionRow>): Promise<PriceChangeEntryResource> => {
    const { subscriptionId, progress } = found.row
    const subscription = progress === 'awaiting_consent' ? await readModels.subscriptions.withId(subscriptionId) : null
    const shown =
      subscription === null ? null : subscriptionResource(publicUrl(), clock.now(found.environment))(subscription)
    return priceChangeEntryResource(found, shown?.authorization.update_url ?? null)
  }
  return {
    schedule: (context, wanted) =>
      TE.chainTaskK((found: Found<PriceChangeRow>) => () => counted(found))(() =>
        schedulePriceChange(services, context, wanted),
      ),
    retrieve: (scope, id) => async () => {
      const found = await retrieveExisting(store)(model, id, scope, { _tag: 'PriceChangeNotFound' })
      if (E.isLeft(found)) return found
      await caughtUp.withOwnWrites(scope.merchantId)
      return E.right(await counted(found.right))
    },
    list: (page) => () => listed(services, readModels.priceChanges, page, counted),
    subscriptions: ({ startingAfter, endingBefore, ...page }) => {
      const entryOf = (id: string) => priceChangeEntryId(page.listedUnder, id)
      const from = {
        ...(startingAfter === undefined ? {} : { startingAfter: entryOf(startingAfter) }),
        ...(endingBefore === undefined ? {} : { endingBefore: entryOf(endingBefore) }),
      }
      return () => listed(services, readModels.priceChangeSubscriptions, { ...page, ...from }, entry)
    },
    subscription: (scope, id, subscriptionId) => async () => {
      await caughtUp.withOwnWrites(scope.merchantId)
      const found = await readModels.priceChangeSubscriptions.withId(priceChangeEntryId(id, subscriptionId))
      return found === null || !isIn(scope, found)
        ? E.left({ _tag: 'PriceChangeNotFound' })
        : E.right(await entry(found))
    },
    cancel: (context, id) => async () => {
      const decide = PriceChange.decider.decide({ type: 'CancelPriceChange', at: context.at })
      const canceled = await execute(store)(PriceChange, id, context, decide)
      return E.isLeft(canceled) ? canceled : E.right(await counted(rowAfter(model, id)(canceled.right)))
    },
  }
}
