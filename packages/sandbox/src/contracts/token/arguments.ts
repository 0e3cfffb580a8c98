import type { xdr } from '@stellar/stellar-sdk'
import { hostError } from '../host-error.ts'
import { integerIn } from '../values/integers.ts'

type Arguments = ReadonlyArray<xdr.ScVal>

const unexpected = (wanted: string) => hostError('value', 'unexpectedType', `expected ${wanted}`)

/** The address of an account or contract, possibly a muxed account with an id. */
export const muxableAt = (args: Arguments, place: number): xdr.ScAddress => {
  const value = args[place]
  if (value?.type !== 'scvAddress') throw unexpected('an address')
  return value.address
}

export const addressAt = (args: Arguments, place: number): xdr.ScAddress => {
  const address = muxableAt(args, place)
  if (address.type === 'scAddressTypeMuxedAccount') throw unexpected('an address without an id')
  return address
}

export const i128At = (args: Arguments, place: number): bigint => {
  const value = args[place]
  const found = value?.type === 'scvI128' ? integerIn(value) : undefined
  if (found === undefined) throw unexpected('an i128')
  return found
}

export const u32At = (args: Arguments, place: number): number => {
  const value = args[place]
  if (value?.type !== 'scvU32') throw unexpected('a u32')
  return value.u32
}

export const boolAt = (args: Arguments, place: number): boolean => {
  const value = args[place]
  if (value?.type !== 'scvBool') throw unexpected('a boolean')
  return value.b
}

export const bytesAt = (args: Arguments, place: number): Uint8Array => {
  const value = args[place]
  if (value?.type !== 'scvBytes') throw unexpected('bytes')
  return value.bytes.value
}
