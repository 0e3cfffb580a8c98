import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CustomerNotFound, livingCustomer } from '../features/customers/living.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { type WalletResource, walletResource } from '../resources/wallet.ts'
import { type Listing, listed } from '../services/listing.ts'
import type { Services } from '../services/services.ts'
import type { Visitor } from '../stores/portal-sessions.ts'
import { type PortalPayment, portalPayment } from './portal-payment.ts'
import { type PortalSubscription, portalSubscription } from './portal-subscription.ts'

/** What customers see of themselves. Nothing that names a person: the browser may be anyone's by now. */
export type PortalView = {
  readonly merchant: string
  readonly subscriptions: ReadonlyArray<PortalSubscription>
  readonly payments: ReadonlyArray<PortalPayment>
  readonly wallets: ReadonlyArray<WalletResource>
  /** After which id there are more; null where these are the last. */
  readonly more: { readonly subscriptions: string | null; readonly payments: string | null }
}

/** The ids after which each list goes on; null from the newest on. */
export type PortalPlace = { readonly subscriptions: string | null; readonly payments: string | null }

const mostShown = 20

/** What a customer has, newest first, as far as they live. */
export const portalView =
  (services: Services) =>
  (
    { customerId, ...scope }: Visitor,
    place: PortalPlace,
  ): TE.TaskEither<StoreUnavailable | CustomerNotFound, PortalView> => {
    const { readModels } = services
    const page = (startingAfter: string | null) => ({
      ...scope,
      listedUnder: customerId,
      limit: mostShown,
      ...(startingAfter === null ? {} : { startingAfter }),
    })
    return pipe(
      () => livingCustomer(services, scope, customerId),
      TE.bindTo('customer'),
      TE.bind('paid', () =>
        TE.fromTask(() => listed(services, readModels.payments, page(place.payments), portalPayment(services))),
      ),
      TE.bind('subscribed', () =>
        TE.fromTask(() =>
          listed(services, readModels.subscriptions, page(place.subscriptions), portalSubscription(services)),
        ),
      ),
      TE.map(({ customer, paid, subscribed }) => ({
        merchant: readModels.merchants.withId(scope.merchantId)?.row.name ?? '',
        subscriptions: subscribed.resources,
        payments: paid.resources,
        wallets: customer.row.wallets.map(walletResource),
        more: { subscriptions: moreAfter(subscribed), payments: moreAfter(paid) },
      })),
    )
  }

const moreAfter = ({ resources, hasMore }: Listing<{ readonly id: string }>): string | null =>
  hasMore ? (resources.at(-1)?.id ?? null) : null
