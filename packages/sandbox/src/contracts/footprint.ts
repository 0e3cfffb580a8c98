import { xdr } from '@stellar/stellar-sdk'
import type { EntryKey } from '../ledger/entry-keys.ts'
import { hostError } from './host-error.ts'

/** The entries that a call may reach, or has reached. */
export interface Footprint {
  readonly read: (key: EntryKey) => void
  readonly write: (key: EntryKey) => void
  readonly keys: () => xdr.LedgerFootprint
}

const outside = (key: EntryKey) => hostError('storage', 'exceededLimit', `access outside of the footprint: ${key}`)

/** Allows only declared keys, and writes only to the read-write part. */
export const declaredFootprint = (declared: xdr.LedgerFootprint): Footprint => {
  const readWrite = new Set(declared.readWrite.map((key) => key.toXdr('hex')))
  const readOnly = new Set(declared.readOnly.map((key) => key.toXdr('hex')))
  return {
    read: (key) => {
      if (!readOnly.has(key) && !readWrite.has(key)) throw outside(key)
    },
    write: (key) => {
      if (!readWrite.has(key)) throw outside(key)
    },
    keys: () => declared,
  }
}

const keysOf = (keys: Iterable<EntryKey>): xdr.LedgerKey[] =>
  [...keys].sort().map((key) => xdr.LedgerKey.fromXdr(key, 'hex'))

/** Records the keys that calls reach. Failed frames count too, since they run again when the transaction is applied. */
export const recordedFootprint = (): Footprint => {
  const met = new Set<EntryKey>()
  const written = new Set<EntryKey>()
  return {
    read: (key) => void met.add(key),
    write: (key) => void written.add(key),
    keys: () => new xdr.LedgerFootprint({ readOnly: keysOf(met.difference(written)), readWrite: keysOf(written) }),
  }
}
