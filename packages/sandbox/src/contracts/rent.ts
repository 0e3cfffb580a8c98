import { xdr } from '@stellar/stellar-sdk'
import { divideUp } from '../divide-up.ts'
import type { EntryData } from '../ledger/entry-keys.ts'
import { durabilityOf } from './lifetimes.ts'
import type { Change, LiveEntry } from './storage.ts'

/** Rent in stroops for 1 KiB over `rentDenominators` ledgers, as soroban-sdk assumes for the main network. */
const feePerKib = 12_000n
const rentDenominators = { persistent: 2_103n, temporary: 4_206n }
const codeDiscount = 3n
const feePerTtlEntry = 10_000n
const ttlEntrySize = 48n
const feePerWrittenKib = 3_500n
const kib = 1_024n

const entryOf = (data: EntryData): xdr.LedgerEntry =>
  new xdr.LedgerEntry({ lastModifiedLedgerSeq: 0, data, ext: xdr.LedgerEntryExt.v0() })

const sizes = new WeakMap<EntryData, number>()

/** The length of an entry's XDR. Cached, since encoding costs more than a look-up. */
export const sizeOf = (data: EntryData): number => {
  const size = sizes.get(data) ?? entryOf(data).toXdr().length
  sizes.set(data, size)
  return size
}

/**
 * The rent of a change: for the ledgers that the life grows by, and for the bytes that the entry grows by until then.
 */
const rentOf = (before: LiveEntry | undefined, after: LiveEntry, sequence: number): bigint => {
  const durability = durabilityOf(after.data)
  if (durability === undefined || after.liveUntil === undefined) return 0n
  const oldSize = before === undefined ? 0 : sizeOf(before.data)
  const newSize = sizeOf(after.data)
  const paidUntil = before?.liveUntil ?? sequence - 1
  const rent = (size: number, ledgers: number): bigint =>
    size <= 0 || ledgers <= 0
      ? 0n
      : divideUp(BigInt(size) * feePerKib * BigInt(ledgers), kib * rentDenominators[durability])
  const grown = before === undefined ? 0n : rent(newSize - oldSize, paidUntil - sequence + 1)
  const fee = rent(newSize, after.liveUntil - paidUntil) + grown
  return after.data.type === 'contractCode' ? divideUp(fee, codeDiscount) : fee
}

/** The rent of several changes, in stroops, with the fee for writing their new expiry. */
export const rentFee = (changes: ReadonlyArray<Change>, sequence: number): bigint => {
  const rents = changes.map(({ before, after }) => rentOf(before, after, sequence))
  const extended = BigInt(
    changes.filter(({ before, after }) => (after.liveUntil ?? 0) > (before?.liveUntil ?? 0)).length,
  )
  const written = divideUp(extended * ttlEntrySize * feePerWrittenKib, kib)
  return rents.reduce((sum, rent) => sum + rent, extended * feePerTtlEntry + written)
}
