import { type AccountId, type AssetId, issuerOf, maximumStroops, type Stroops } from '@quittance/domain'
import type { AccountView, LedgerUnreachable } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import type { MerchantNotReady } from '../../services/settlements.ts'

/** Why money sent there would not arrive, or would be lost to whom it is for. */
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

/** Money that is to be paid out: `amount` of the asset, in stroops. */
export type OutgoingMoney = { readonly destination: AccountId; readonly assetId: AssetId; readonly amount: Stroops }

/**
 * Asks the ledger whether an account can take a payout, before anything is promised. What changes afterwards is told by
 * the ledger when it is paid.
 * Source: SEP-29; over RPC nobody looks for us.
 */
export const checkDestination =
  (services: Services) =>
  ({ merchantId, environment }: Scope, payout: OutgoingMoney): TE.TaskEither<CheckFailure, void> =>
  async () => {
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

/** An issuer needs no trustline to take back its own. */
export const problemWith = (view: AccountView, { destination, assetId, amount }: OutgoingMoney): UnfitReason | null => {
  if (assetId === 'native') return view.nativeBalance + amount > maximumStroops ? 'full' : null
  if (issuerOf(assetId) === destination) return null
  const trustline = view.trustlines.find((each) => each.assetId === assetId)
  if (trustline === undefined) return 'no_trustline'
  if (!trustline.isAuthorized) return 'not_authorized'
  return trustline.balance + amount > trustline.limit ? 'full' : null
}
