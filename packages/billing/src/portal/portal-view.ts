import * as E from 'fp-ts/lib/Either.js'
import { type CustomerNotFound, livingCustomer } from '../features/customers/living.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { type Seller, sellerResource } from '../resources/seller.ts'
import { type WalletResource, walletResource } from '../resources/wallet.ts'
import { type Listing, listed } from '../services/listing.ts'
import type { Visitor } from '../stores/portal-sessions.ts'
import { type PortalPayment, portalPayment } from './portal-payment.ts'
import { type PortalSubscription, portalSubscription } from './portal-subscription.ts'
import type { PortalServices } from './services.ts'

/** A customer's own data. It names no person: somebody else may use the browser by now. */
export type PortalView = {
  readonly merchant: string
  /** Null while the merchant cannot sell. */
  readonly seller: Seller | null
  readonly subscriptions: ReadonlyArray<PortalSubscription>
  readonly payments: ReadonlyArray<PortalPayment>
  /** Those that the customer has proven. */
  readonly wallets: ReadonlyArray<WalletResource>
  /** The id after which each list continues; null at its end. */
  /** Whether the customer has an email, and codes can be sent for its change. */
  readonly canChangeEmail: boolean
  readonly more: { readonly subscriptions: string | null; readonly payments: string | null }
}

/** The ids after which each list starts; null starts at the newest. */
export type PortalPlace = { readonly subscriptions: string | null; readonly payments: string | null }

const mostShown = 20

/** A customer's portal page, newest first; not found once the customer is deleted. */
export const portalView = async (
  services: PortalServices,
  { customerId, ...scope }: Visitor,
  cursor: PortalPlace,
): Promise<E.Either<StoreUnavailable | CustomerNotFound, PortalView>> => {
  const { readModels } = services
  const page = (startingAfter: string | null) => ({
    ...scope,
    listedUnder: customerId,
    limit: mostShown,
    ...(startingAfter === null ? {} : { startingAfter }),
  })
  const settlement = await services.settlementOf(scope.merchantId, scope.environment)()
  if (E.isLeft(settlement) && settlement.left._tag !== 'MerchantNotReady') return E.left(settlement.left)
  const customer = await livingCustomer(services, scope, customerId)
  if (E.isLeft(customer)) return customer
  const merged = (await readModels.customerFamily.allOf(customerId)).filter((id) => id !== customerId)
  const rows = [
    customer.right,
    ...(await Promise.all(merged.map(async (id) => (await readModels.customers.withId(id)) ?? []))).flat(),
  ].map(({ row }) => row)
  const paid = await listed(services, readModels.payments, page(cursor.payments), portalPayment(services))
  const { subscriptions } = readModels
  const subscribed = await listed(services, subscriptions, page(cursor.subscriptions), portalSubscription(services))
  return E.right({
    merchant: (await readModels.merchants.withId(scope.merchantId))?.row.name ?? '',
    seller: E.isLeft(settlement) ? null : sellerResource(settlement.right.profile, settlement.right.logo),
    subscriptions: subscribed.resources,
    payments: paid.resources,
    wallets: rows.flatMap((row) => row.wallets.map(walletResource)).filter(({ via }) => via === 'proven'),
    canChangeEmail: services.mailers[scope.environment] !== null && customer.right.row.record.emailHash !== null,
    more: { subscriptions: moreAfter(subscribed), payments: moreAfter(paid) },
  })
}

const moreAfter = ({ resources, hasMore }: Listing<{ readonly id: string }>): string | null =>
  hasMore ? (resources.at(-1)?.id ?? null) : null
