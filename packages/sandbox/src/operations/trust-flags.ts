import type { xdr } from '@stellar/stellar-sdk'
import { removeOffersIn } from '../exchange/offers.ts'
import { assetOf, type IssuedAsset } from '../ledger/assets.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import {
  authorizedFlag,
  clawbackFlag,
  findTrustline,
  maintainsLiabilitiesFlag,
  saveTrustline,
} from '../ledger/trustlines.ts'

/** The two authorization flags, of which a trustline has at most one. */
export const authorizationFlags = authorizedFlag | maintainsLiabilitiesFlag
export const lineFlags = authorizationFlags | clawbackFlag

export const isAuthorizationValid = (flags: number): boolean => (flags & authorizationFlags) !== authorizationFlags

/** Writes a trustline's flags. A holder that loses both authorizations loses its offers in the asset. */
export const setLineFlags = (draft: LedgerDraft, line: xdr.TrustLineEntry, asset: IssuedAsset, flags: number): void => {
  const isRevoked = (line.flags & authorizationFlags) !== 0 && (flags & authorizationFlags) === 0
  if (isRevoked) removeOffersIn(draft, line.accountId, assetOf(asset))
  saveTrustline(draft, findTrustline(draft, line.accountId, asset) ?? line, { flags })
}
