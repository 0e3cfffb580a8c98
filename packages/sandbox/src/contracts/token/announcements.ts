import { xdr } from '@stellar/stellar-sdk'
import { addressValue, i128, isSameAddress, record, symbol } from '../values/sc-values.ts'
import { nameIn } from './asset.ts'
import { isIssuerOf } from './issuer.ts'
import type { Token } from './token-storage.ts'

/** Announces something of these addresses; the last topic is always the asset by its SEP-11 name. */
export const announce = (
  { host, frame }: Token,
  what: string,
  addresses: ReadonlyArray<xdr.ScAddress>,
  data: xdr.ScVal,
): void => host.log.announce(frame.contract, [symbol(what), ...addresses.map(addressValue), nameIn(frame)], data)

/** What comes from the issuer comes into being, and what goes to it ceases to be. `muxedId` is the payee's own sign. */
export const announceTransfer = (
  token: Token,
  from: xdr.ScAddress,
  to: xdr.ScAddress,
  amount: bigint,
  muxedId?: bigint,
): void => {
  const data =
    muxedId === undefined ? i128(amount) : record({ amount: i128(amount), to_muxed_id: xdr.ScVal.scvU64(muxedId) })
  if (isSameAddress(from, to)) announce(token, 'transfer', [from, to], data)
  else if (isIssuerOf(token, from)) announce(token, 'mint', [to], data)
  else if (isIssuerOf(token, to)) announce(token, 'burn', [from], i128(amount))
  else announce(token, 'transfer', [from, to], data)
}
