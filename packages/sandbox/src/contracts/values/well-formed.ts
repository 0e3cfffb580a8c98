import type { xdr } from '@stellar/stellar-sdk'
import { hostError } from '../host-error.ts'
import { compare } from './compare.ts'
import { isSymbol } from './symbols.ts'

const isWellFormed = (value: xdr.ScVal): boolean => {
  switch (value.type) {
    case 'scvVec':
      return value.vec?.every(isWellFormed) ?? false
    case 'scvMap':
      return value.map?.every(isInPlace) ?? false
    case 'scvSymbol':
      return isSymbol(value.sym.bytes)
    case 'scvAddress':
      return (
        value.address.type !== 'scAddressTypeClaimableBalance' && value.address.type !== 'scAddressTypeLiquidityPool'
      )
    case 'scvContractInstance':
    case 'scvLedgerKeyContractInstance':
    case 'scvLedgerKeyNonce':
    case 'scvExecutableTag':
      return false
    case 'scvBool':
    case 'scvVoid':
    case 'scvError':
    case 'scvU32':
    case 'scvI32':
    case 'scvU64':
    case 'scvI64':
    case 'scvTimepoint':
    case 'scvDuration':
    case 'scvU128':
    case 'scvI128':
    case 'scvU256':
    case 'scvI256':
    case 'scvBytes':
    case 'scvString':
      return true
  }
}

const isInPlace = ({ key, val }: xdr.ScMapEntry, place: number, map: ReadonlyArray<xdr.ScMapEntry>): boolean => {
  const before = map[place - 1]
  return isWellFormed(key) && isWellFormed(val) && (before === undefined || compare(before.key, key) < 0)
}

/** Rejects arguments that no contract could have made: unsorted maps, invalid symbols, keys reserved to the ledger. */
export const requireWellFormed = (values: ReadonlyArray<xdr.ScVal>): void => {
  if (!values.every(isWellFormed)) throw hostError('value', 'invalidInput', 'an argument is no value of contracts')
}
