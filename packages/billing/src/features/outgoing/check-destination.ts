import { type AccountId, type AssetId, issuerOf, maximumStroops, type Stroops } from '@quittance/domain'
import type { AccountView, LedgerUnreachable } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import type { MerchantNotReady } from '../../services/settlements.ts'

/** Why money sent to an account would not arrive, or not reach its owner. */
export type UnfitReason =
  | 'not_found'
  | 'no_trustline'
  | 'not_authorized'
  | 'full'
  | 'requires_memo'
  | 'is_omnibus'
  | 'is_own'

export type DestinationUnfit = { readonly _tag: 'DestinationUnfit'; readonly reason: UnfitReason }

type CheckFailure = DestinationUnfit | LedgerUnreachable | NetworkNotConfigured | MerchantNotReady | StoreUnavailable

export type OutgoingMoney = { readonly destination: AccountId; readonly assetId: AssetId; readonly amount: Stroops }

/**
 * Asks the ledger whether an account can take a payout, before anything is promised. If that changes afterwards, the ledger
 * says so when it is paid.
 * Source: SEP-29; over RPC, the client has to check it.
 */
export const checkDestination = async (
  services: Pick<Services, 'networks' | 'settlementOf' | 'omnibusAccounts'>,
  { merchantId, environment }: Scope,
  payout: OutgoingMoney,
): Promise<E.Either<CheckFailure, void>> => {
  const { destination, assetId } = payout
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  if (destination === settlement.right.account) return unfit('is_own')
  if (services.omnibusAccounts.has(destination)) return unfit('is_omnibus')
  const view = await network.right.gateway.accountView(destination, [assetId])()
  if (E.isLeft(view)) return view
  if (view.right === null) return unfit('not_found')
  if (view.right.requiresMemo) return unfit('requires_memo')
  const reason = problemWith(view.right, payout)
  return reason === null ? E.right(undefined) : unfit(reason)
}

export const unfit = (reason: UnfitReason): E.Either<DestinationUnfit, never> =>
  E.left({ _tag: 'DestinationUnfit', reason })

/** An issuer needs no trustline to take back its own asset. */
export const problemWith = (view: AccountView, { destination, assetId, amount }: OutgoingMoney): UnfitReason | null => {
  if (assetId === 'native') return view.nativeBalance + amount > maximumStroops ? 'full' : null
  if (issuerOf(assetId) === destination) return null
  const trustline = view.trustlines.find((each) => each.assetId === assetId)
  if (trustline === undefined) return 'no_trustline'
  if (!trustline.isAuthorized) return 'not_authorized'
  return trustline.balance + amount > trustline.limit ? 'full' : null
}
