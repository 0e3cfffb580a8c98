import { type AccountId, AccountSequence, type AssetId, CheckoutId, type Quote, type Stroops } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Network, Services } from '../../services/services.ts'
import { ensureNotSubscribed } from '../customers/living-subscriptions.ts'
import { namesCustomer } from '../payments/payer.ts'
import { ensurePayableNow, forPayers } from '../settlement-account/payable-account.ts'
import { notPayable, type PayFailure } from './pay.ts'
import { quotedSession } from './quote.ts'
import type { PayerServices } from './services.ts'
import type { PublicSession } from './session.ts'

/** A payable session, with the amount due by its quote. */
export type PayableSession = {
  readonly session: PublicSession
  readonly quote: Quote
  readonly assetId: AssetId
  readonly amount: Stroops
}

/** Errors: why the session takes no payment, and the errors of a quote. */
export const payableSession = async (
  services: PayerServices,
  id: string,
): Promise<E.Either<PayFailure, PayableSession>> => {
  const quoted = await quotedSession(services, id)
  if (E.isLeft(quoted)) return quoted
  const { session, quote, due } = quoted.right
  if (due === null || quote === null) return E.left(notPayable(session))
  return E.right({ session, quote, assetId: session.state.details.assetId, amount: due })
}

/** Errors: `PayeeCannotBePaid` if the amount due cannot arrive now. */
export const ensureArrival = async (
  services: Pick<Services, 'settlementOf' | 'seenAccounts' | 'networks'>,
  { session: { found, state }, assetId, amount }: PayableSession,
): Promise<E.Either<PayFailure, void>> => {
  const { merchantId, environment } = found
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const arrival = { settlement: settlement.right, account: state.details.destination, assetId, amount }
  return E.mapLeft(forPayers)(await ensurePayableNow(services, { merchantId, environment }, arrival))
}

/** The account that would send a transaction. */
export const accountAt = async (
  { gateway }: Network,
  account: AccountId,
  assets: ReadonlyArray<AssetId>,
): Promise<E.Either<PayFailure, AccountView>> => {
  const view = await gateway.accountView(account, assets)()
  if (E.isLeft(view)) return view
  if (view.right === null) return E.left({ _tag: 'SourceAccountNotFound' })
  return AccountSequence.is(view.right.accountSequence + 1n) ? E.right(view.right) : E.left({ _tag: 'NoSequenceLeft' })
}

/**
 * Errors: `AlreadySubscribed` if the merchant named the customer, who has a subscription already. Whose email was only
 * typed learns it from the ledger, where the wallet has signed: a stranger could ask about any email and wallet.
 */
export const ensureOnlySubscription = async (
  services: Pick<PayerServices, 'readModels' | 'caughtUp' | 'clock'>,
  { id, found, state }: PublicSession,
  wallet: AccountId,
): Promise<E.Either<PayFailure, void>> => {
  const { customerId, details } = state
  const { productId } = details
  if (!namesCustomer(state) || customerId === null || productId === null || !CheckoutId.is(id))
    return E.right(undefined)
  const wanted = { productId, customerId, checkoutId: id, wallet }
  return ensureNotSubscribed(services, found, wanted, services.clock.now(found.environment))
}
