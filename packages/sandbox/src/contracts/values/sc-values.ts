import { xdr } from '@stellar/stellar-sdk'

export const nothing = xdr.ScVal.scvVoid()
export const symbol = (text: string): xdr.ScVal => xdr.ScVal.scvSymbol(text)
export const vec = (...values: xdr.ScVal[]): xdr.ScVal => xdr.ScVal.scvVec(values)
export const addressValue = (address: xdr.ScAddress): xdr.ScVal => xdr.ScVal.scvAddress(address)

export const i128 = (value: bigint): xdr.ScVal =>
  xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: value >> 64n, lo: BigInt.asUintN(64, value) }))

/** A map with symbol keys, which must come in ascending order. */
export const record = (fields: Readonly<Record<string, xdr.ScVal>>): xdr.ScVal =>
  xdr.ScVal.scvMap(Object.entries(fields).map(([name, val]) => new xdr.ScMapEntry({ key: symbol(name), val })))

export const fieldOf = (value: xdr.ScVal | undefined, name: string): xdr.ScVal | undefined =>
  value?.type === 'scvMap'
    ? value.map?.find(({ key }) => key.type === 'scvSymbol' && key.sym.toString() === name)?.val
    : undefined

export const contractAddress = (id: xdr.ContractId): xdr.ScAddress => xdr.ScAddress.scAddressTypeContract(id)
export const accountAddress = (id: xdr.PublicKey): xdr.ScAddress => xdr.ScAddress.scAddressTypeAccount(id)

/** Compares bytes; `equals` would encode both sides first. */
export const isSameId = (left: { readonly value: Uint8Array }, right: { readonly value: Uint8Array }): boolean =>
  Buffer.compare(left.value, right.value) === 0

export const isSameAddress = (left: xdr.ScAddress, right: xdr.ScAddress): boolean => {
  if (left.type === 'scAddressTypeAccount' && right.type === 'scAddressTypeAccount')
    return isSameId(left.accountId.ed25519, right.accountId.ed25519)
  if (left.type === 'scAddressTypeContract' && right.type === 'scAddressTypeContract')
    return isSameId(left.contractId, right.contractId)
  return left.type === right.type && left.equals(right)
}
