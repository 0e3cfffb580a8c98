import { xdr } from '@stellar/stellar-sdk'
import type { EntryTable } from '../store/entry-table.ts'
import { assetOf, isIssued } from './assets.ts'
import { findHolding, isAuthorized, spendable } from './holdings.ts'

/** What an account can pay with, in stroops: its coins and what lies on its lines, but for what reserve and offers bind. */
export const spendableBy = (
  entries: EntryTable,
  account: xdr.PublicKey,
): ReadonlyArray<{ readonly asset: xdr.Asset; readonly amount: bigint }> => {
  const issued = entries.trustlinesOf(account).flatMap(({ asset }) => (isIssued(asset) ? [assetOf(asset)] : []))
  return [xdr.Asset.assetTypeNative(), ...issued].flatMap((asset) => {
    const holding = findHolding(entries, account, asset)
    if (holding === undefined || !isAuthorized(holding)) return []
    const amount = spendable(holding)
    return amount > 0n ? [{ asset, amount }] : []
  })
}
