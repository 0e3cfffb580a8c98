import type { xdr } from '@stellar/stellar-sdk'
import { accountFlags, findAccount } from '../../ledger/accounts.ts'
import { issuedAsset, issuerOf } from '../../ledger/assets.ts'
import { hostError } from '../host-error.ts'
import { accountAddress, isSameAddress } from '../values/sc-values.ts'
import { assetIn } from './asset.ts'
import type { Token } from './token-storage.ts'

export const isIssuerOf = ({ frame }: Token, address: xdr.ScAddress): boolean => {
  const issued = issuedAsset(assetIn(frame))
  return issued !== undefined && isSameAddress(address, accountAddress(issuerOf(issued)))
}

/** Whether the issuer's account sets a flag; the native asset has none. */
export const issuerHas = ({ host, frame }: Token, flag: keyof typeof accountFlags): boolean => {
  const asset = issuedAsset(assetIn(frame))
  if (asset === undefined) return false
  const issuer = findAccount(host.storage.classic, issuerOf(asset))
  if (issuer === undefined) throw hostError('storage', 'missingValue', 'the issuer is missing')
  return (issuer.flags & accountFlags[flag]) !== 0
}
