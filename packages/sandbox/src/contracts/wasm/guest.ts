import type { xdr } from '@stellar/stellar-sdk'
import type { Frame, Host } from '../host.ts'
import { hostError } from '../host-error.ts'
import { fromGuest, type Objects, toGuest } from './guest-values.ts'

/** A running WebAssembly instance: the objects it refers to, and its memory. */
export type Guest = {
  readonly host: Host
  readonly frame: Frame
  readonly objects: Objects
  /** Fetched on every access, since growing the memory detaches the old buffer. */
  readonly memory: () => ArrayBuffer
}

export const give = ({ objects }: Guest, value: xdr.ScVal): bigint => toGuest(value, objects)
export const take = ({ objects }: Guest, raw: bigint): xdr.ScVal => fromGuest(raw, objects)

const unexpected = (wanted: string) => hostError('value', 'unexpectedType', `expected ${wanted}`)

export const takeU32 = (guest: Guest, raw: bigint): number => {
  const value = take(guest, raw)
  if (value.type !== 'scvU32') throw unexpected('a u32')
  return value.u32
}

export const takeVec = (guest: Guest, raw: bigint): ReadonlyArray<xdr.ScVal> => {
  const value = take(guest, raw)
  if (value.type !== 'scvVec' || value.vec === null) throw unexpected('a vector')
  return value.vec
}

export const takeMap = (guest: Guest, raw: bigint): ReadonlyArray<xdr.ScMapEntry> => {
  const value = take(guest, raw)
  if (value.type !== 'scvMap' || value.map === null) throw unexpected('a map')
  return value.map
}

export const takeBytes = (guest: Guest, raw: bigint): Uint8Array => {
  const value = take(guest, raw)
  if (value.type !== 'scvBytes') throw unexpected('bytes')
  return value.bytes.value
}

export const takeSymbol = (guest: Guest, raw: bigint): string => {
  const value = take(guest, raw)
  if (value.type !== 'scvSymbol') throw unexpected('a symbol')
  return value.sym.toString()
}

export const takeAddress = (guest: Guest, raw: bigint): xdr.ScAddress => {
  const value = take(guest, raw)
  if (value.type !== 'scvAddress' || value.address.type === 'scAddressTypeMuxedAccount') throw unexpected('an address')
  return value.address
}

export const takeContract = (guest: Guest, raw: bigint): xdr.ContractId => {
  const address = takeAddress(guest, raw)
  if (address.type !== 'scAddressTypeContract') throw unexpected("a contract's address")
  return address.contractId
}

const part = ({ memory }: Guest, position: number, length: number): DataView => {
  const buffer = memory()
  if (position + length > buffer.byteLength) throw hostError('wasmVm', 'indexBounds', 'outside of the memory')
  return new DataView(buffer, position, length)
}

/** Copies a part of the guest's memory. */
export const readBytes = (guest: Guest, position: number, length: number): Uint8Array => {
  const { buffer, byteOffset } = part(guest, position, length)
  return new Uint8Array(buffer.slice(byteOffset, byteOffset + length))
}

/** Consecutive values of 8 bytes each. */
export const readValues = (guest: Guest, position: number, count: number): ReadonlyArray<xdr.ScVal> => {
  const view = part(guest, position, count * 8)
  return Array.from({ length: count }, (_, place) => take(guest, view.getBigUint64(place * 8, true)))
}

export const writeValues = (guest: Guest, position: number, values: ReadonlyArray<xdr.ScVal>): void => {
  const view = part(guest, position, values.length * 8)
  for (const [place, value] of values.entries()) view.setBigUint64(place * 8, give(guest, value), true)
}

/** The slices that consecutive 32-bit positions and lengths point to. */
export const readSlices = (guest: Guest, position: number, count: number): ReadonlyArray<Uint8Array> => {
  const view = part(guest, position, count * 8)
  return Array.from({ length: count }, (_, place) =>
    readBytes(guest, view.getUint32(place * 8, true), view.getUint32(place * 8 + 4, true)),
  )
}
