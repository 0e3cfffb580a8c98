import {
  type AccountId,
  type CheckoutId,
  type CustomerId,
  isLivingAt,
  type ProductId,
  type UnixMs,
} from '@quittance/domain'
import type { Found, PageRequest, Scope, SubscriptionRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { findInTurn } from '../../kernel/checks-in-turn.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'

type Reading = Pick<Services, 'readModels' | 'caughtUp'>
type Living = ReadonlyArray<Found<SubscriptionRow>>

/** The subscriptions of a customer that go on at a time, the newest first. */
export const livingSubscriptions = async (
  { readModels, caughtUp }: Reading,
  scope: Scope,
  customerId: string,
  at: UnixMs,
): Promise<E.Either<StoreUnavailable, Living>> => {
  const caught = await caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const page = (request: PageRequest) => readModels.subscriptions.page({ ...request, listedUnder: customerId })
  return E.right((await Array.fromAsync(everyRow(page, scope))).filter(({ row }) => isLivingAt(row, at)))
}

/** The customer has a subscription of the product, which allows only one. */
export type AlreadySubscribed = { readonly _tag: 'AlreadySubscribed'; readonly subscriptionId: string }

/** A subscription of a product that is asked for; `checkoutId` and `wallet` are null before there are any. */
type Wanted = {
  readonly productId: ProductId
  readonly customerId: CustomerId
  readonly checkoutId: CheckoutId | null
  readonly wallet: AccountId | null
}

/**
 * Refuses a second subscription of a product that allows one. Anybody can type somebody else's email, so a subscription
 * counts as the customer's own only if the merchant named the customer, or if the wallet is one that the customer has
 * proven. Two by the same wallet are the same customer's in any case.
 */
export const ensureNotSubscribed = async (
  services: Reading,
  scope: Scope,
  { productId, customerId, checkoutId, wallet }: Wanted,
  at: UnixMs,
): Promise<E.Either<StoreUnavailable | AlreadySubscribed, void>> => {
  const living = await livingSubscriptions(services, scope, customerId, at)
  if (E.isLeft(living)) return living
  const { products, checkouts, customers, customerFamily } = services.readModels
  if ((await products.withId(productId))?.row.details.allowsMultipleSubscriptions === true) return E.right(undefined)
  const proven = (
    await Promise.all(
      (
        await customerFamily.allOf(customerId)
      ).map(
        async (each) =>
          (await customers.withId(each))?.row.wallets.filter(({ wallet: { via } }) => via === 'proof') ?? [],
      ),
    )
  ).flat()
  const isOwn = async (checkout: CheckoutId, signer: AccountId | null) =>
    (await checkouts.withId(checkout))?.row.details.isCustomerNamed === true ||
    proven.some(({ wallet: { address } }) => address === signer)
  const isWantedByCustomer = checkoutId === null || (await isOwn(checkoutId, wallet))
  const existing = await findInTurn(living.right, async ({ row: { details, terms, pendingSwap, authorization } }) => {
    const signer = authorization.mandate.customer
    const isOfProduct = terms.productId === productId || pendingSwap?.terms.productId === productId
    const isSameCustomer = signer === wallet || (isWantedByCustomer && (await isOwn(details.checkoutId, signer)))
    return isOfProduct && details.checkoutId !== checkoutId && isSameCustomer
  })
  return existing === undefined
    ? E.right(undefined)
    : E.left({ _tag: 'AlreadySubscribed', subscriptionId: existing.id })
}
