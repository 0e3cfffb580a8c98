import { xdr } from '@stellar/stellar-sdk'
import type { LedgerView } from '../ledger/draft.ts'
import type { EntryData } from '../ledger/entry-keys.ts'
import type { InvocationCost } from './invocation.ts'
import { durabilityOf } from './lifetimes.ts'
import type { Counts } from './meter.ts'
import type { Change, Held } from './storage.ts'

/** What things cost in instructions: fitted to the native costs that are recorded in the mandate's vectors. */
const instructions = { hostCalls: 2_000, wasmFrames: 375_000, accesses: 22_000, signatures: 400_000 }

const instructionsOf = (counts: Counts): number =>
  instructions.hostCalls * counts.hostCalls +
  instructions.wasmFrames * counts.wasmFrames +
  instructions.accesses * counts.accesses +
  instructions.signatures * counts.signatures

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

const sizeOf = (data: EntryData): number => {
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

const rentFee = (changes: ReadonlyArray<Change>, sequence: number): bigint => {
  const rents = changes.map(({ before, after }) => rentOf(before, after, sequence))
  const extended = BigInt(
    changes.filter(({ before, after }) => (after.liveUntil ?? 0) > (before?.liveUntil ?? 0)).length,
  )
  const written = ceiling(extended * ttlEntrySize * feePerWrittenKib, kib)
  return rents.reduce((sum, rent) => sum + rent, extended * feePerTtlEntry + written)
}

/**
 * What a call has cost. Entries of contracts are in the memory of the network's nodes: what is read counts accounts and
 * trustlines, and what is restored from the archive.
 */
export const costOf = (
  counts: Counts,
  footprint: xdr.LedgerFootprint,
  archived: ReadonlyArray<number>,
  changes: ReadonlyArray<Change>,
  events: ReadonlyArray<xdr.ContractEvent>,
  view: LedgerView,
  sequence: number,
): InvocationCost => {
  const fromDisk = [...footprint.readOnly, ...footprint.readWrite].flatMap((key) => {
    const isOnDisk = key.type === 'account' || key.type === 'trustline'
    const entry = isOnDisk ? view.find(key.toXdr('hex')) : undefined
    return entry === undefined ? [] : [entry]
  })
  const restored = archived.flatMap((place) => {
    const key = footprint.readWrite[place]
    const entry = key && view.find(key.toXdr('hex'))
    return entry === undefined ? [] : [entry]
  })
  const read = [...fromDisk, ...restored]
  const written = changes.filter(({ before, after }) => before?.data !== after.data)
  return {
    instructions: instructionsOf(counts),
    readEntries: read.length,
    writeEntries: footprint.readWrite.length,
    readBytes: read.reduce((sum, entry) => sum + entry.toXdr().length, 0),
    writeBytes: written.reduce((sum, { after }) => sum + sizeOf(after.data), 0),
    eventBytes: events.reduce((sum, event) => sum + event.toXdr().length, 0),
    rentFee: rentFee(changes, sequence),
  }
}
