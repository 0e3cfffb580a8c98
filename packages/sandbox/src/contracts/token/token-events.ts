import { xdr } from '@stellar/stellar-sdk'
import { addressValue, i128, isSameAddress, record, symbol } from '../values/sc-values.ts'
import { nameIn } from './asset.ts'
import { isIssuerOf } from './issuer.ts'
import type { Token } from './token-storage.ts'

/** Emits an event about these addresses; the last topic is the asset's SEP-11 name. */
export const emit = (
  { host, frame }: Token,
  what: string,
  addresses: ReadonlyArray<xdr.ScAddress>,
  data: xdr.ScVal,
): void => host.log.emit(frame.contract, [symbol(what), ...addresses.map(addressValue), nameIn(frame)], data)

/**
 * Emits a mint when the issuer pays, a burn when it is paid, else a transfer. `muxedId` is the payee's own reference.
 */
export const emitTransfer = (
  token: Token,
  from: xdr.ScAddress,
  to: xdr.ScAddress,
  amount: bigint,
  muxedId?: bigint,
): void => {
  const data =
    muxedId === undefined ? i128(amount) : record({ amount: i128(amount), to_muxed_id: xdr.ScVal.scvU64(muxedId) })
  if (isSameAddress(from, to)) emit(token, 'transfer', [from, to], data)
  else if (isIssuerOf(token, from)) emit(token, 'mint', [to], data)
  else if (isIssuerOf(token, to)) emit(token, 'burn', [from], i128(amount))
  else emit(token, 'transfer', [from, to], data)
}
