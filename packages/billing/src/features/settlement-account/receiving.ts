import { type AssetId, issuerOf, type Stroops } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'

/** Why an amount of an asset cannot arrive at an existing account. */
export type CannotReceive = 'trustline_missing' | 'trustline_not_authorized' | 'trustline_full'

/**
 * Why an account cannot take `amount` of an asset now; null if it can. The view must include the asset. An issuer needs
 * no trustline for its own asset. Source: CAP-18, Stellar docs, "Payment", result codes.
 */
export const whyNotReceived = (view: AccountView, assetId: AssetId, amount: Stroops): CannotReceive | null => {
  if (assetId === 'native') return amount > view.nativeReceivable ? 'trustline_full' : null
  if (issuerOf(assetId) === view.account) return null
  const trustline = view.trustlines.find((each) => each.assetId === assetId)
  if (trustline === undefined) return 'trustline_missing'
  if (!trustline.isAuthorized) return 'trustline_not_authorized'
  return amount > trustline.receivable ? 'trustline_full' : null
}
