import { xdr } from '@stellar/stellar-sdk'
import type { EntryData } from '../ledger/entry-keys.ts'
import { durabilityOf } from './lifetimes.ts'
import type { Change, Held } from './storage.ts'

/** Rent in stroops: for 1 KiB in `ledgers` ledgers, by what soroban-sdk assumes of the main network. */
const feePerKib = 12_000n
const rentDenominators = { persistent: 2_103n, temporary: 4_206n }
const codeDiscount = 3n
const feePerTtlEntry = 10_000n
const ttlEntrySize = 48n
const feePerWrittenKib = 3_500n
const kib = 1_024n

const ceiling = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by

const entryOf = (data: EntryData): xdr.LedgerEntry =>
  new xdr.LedgerEntry({ lastModifiedLedgerSeq: 0, data, ext: xdr.LedgerEntryExt.v0() })

const sizes = new WeakMap<EntryData, number>()

/** How long an entry's XDR is. Kept, since encoding costs more than looking it up. */
export const sizeOf = (data: EntryData): number => {
  const size = sizes.get(data) ?? entryOf(data).toXdr().length
  sizes.set(data, size)
  return size
}

/** The rent of a change: for the ledgers that an entry lives longer, and for what it has grown by in those before. */
const rentOf = (before: Held | undefined, after: Held, sequence: number): bigint => {
  const durability = durabilityOf(after.data)
  if (durability === undefined || after.liveUntil === undefined) return 0n
  const oldSize = before === undefined ? 0 : sizeOf(before.data)
  const newSize = sizeOf(after.data)
  const paidUntil = before?.liveUntil ?? sequence - 1
  const rent = (size: number, ledgers: number): bigint =>
    size <= 0 || ledgers <= 0
      ? 0n
      : ceiling(BigInt(size) * feePerKib * BigInt(ledgers), kib * rentDenominators[durability])
  const grown = before === undefined ? 0n : rent(newSize - oldSize, paidUntil - sequence + 1)
  const fee = rent(newSize, after.liveUntil - paidUntil) + grown
  return after.data.type === 'contractCode' ? ceiling(fee, codeDiscount) : fee
}

/** What changes cost in rent, in stroops: what is kept, for how long, and the writing of its end. */
export const rentFee = (changes: ReadonlyArray<Change>, sequence: number): bigint => {
  const rents = changes.map(({ before, after }) => rentOf(before, after, sequence))
  const extended = BigInt(
    changes.filter(({ before, after }) => (after.liveUntil ?? 0) > (before?.liveUntil ?? 0)).length,
  )
  const written = ceiling(extended * ttlEntrySize * feePerWrittenKib, kib)
  return rents.reduce((sum, rent) => sum + rent, extended * feePerTtlEntry + written)
}
