import type { AssetId } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'
import { type Address, accountOf } from '../addresses.ts'
import { trustedAssetIdOf } from '../assets.ts'
import type { EntryChanges } from '../close-meta.ts'

/** Where an operation sends value, and of which asset. How much arrived is measured, never taken from here. */
export type Transfer = { readonly destination: Address; readonly assetId: AssetId }

const heldBy = (account: string, assetId: AssetId, entry: xdr.LedgerEntry): bigint | null => {
  const { data } = entry
  if (data.type === 'account' && assetId === 'native')
    return accountOf(data.account.accountId) === account ? data.account.balance : null
  if (data.type === 'trustline' && trustedAssetIdOf(data.trustLine.asset) === assetId)
    return accountOf(data.trustLine.accountId) === account ? data.trustLine.balance : null
  return null
}

/**
 * How much of an asset an operation brought to an account: its balance after the operation less the one before, in
 * stroops. 0 where nothing moved, as in a payment to oneself or to the asset's own issuer.
 */
export const deliveredTo = (account: string, assetId: AssetId, changes: EntryChanges): bigint => {
  let before = 0n
  let after = 0n
  for (const change of changes) {
    if (change.type === 'ledgerEntryState') before += heldBy(account, assetId, change.state) ?? 0n
    if (change.type === 'ledgerEntryCreated') after += heldBy(account, assetId, change.created) ?? 0n
    if (change.type === 'ledgerEntryUpdated') after += heldBy(account, assetId, change.updated) ?? 0n
  }
  return after - before
}
