import { xdr } from '@stellar/stellar-sdk'
import type { EntryTable } from '../store/entry-table.ts'
import { assetOf, isIssued } from './assets.ts'
import { findHolding, isAuthorized, spendable } from './holdings.ts'

/** The amounts that an account can pay with, in stroops, less reserve and liabilities. */
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
