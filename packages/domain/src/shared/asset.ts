import type * as t from 'io-ts'
import { brandedString } from './branded.ts'
import { isAccountStrkey, isContractStrkey } from './strkey.ts'

/** A Stellar account: `G` and 55 base32 characters whose checksum holds. */
export const AccountId = brandedString<{ readonly AccountId: symbol }>('AccountId', isAccountStrkey)
export type AccountId = t.TypeOf<typeof AccountId>

/** A contract on a Stellar network: `C` and 55 base32 characters whose checksum holds. */
export const ContractId = brandedString<{ readonly ContractId: symbol }>('ContractId', isContractStrkey)
export type ContractId = t.TypeOf<typeof ContractId>

/**
 * A SEP-11 name: `native`, or `CODE:ISSUER` with a code of 1 to 12 letters and digits. The issuer is part of the
 * name: two assets with the same code are two assets.
 */
export const AssetId = brandedString<{ readonly AssetId: symbol }>(
  'AssetId',
  (text) => text === 'native' || (/^[A-Za-z0-9]{1,12}:/.test(text) && isAccountStrkey(text, text.indexOf(':') + 1)),
)
export type AssetId = t.TypeOf<typeof AssetId>

/** The asset's code as shown to people: `USDC`; `XLM` for the native asset. */
export const assetCode = (asset: AssetId): string => (asset === 'native' ? 'XLM' : asset.slice(0, asset.indexOf(':')))

/** The account that issues the asset; `null` for the native asset, which has none. */
export const issuerOf = (asset: AssetId): AccountId | null => {
  const issuer = asset.slice(asset.indexOf(':') + 1)
  return AccountId.is(issuer) ? issuer : null
}
