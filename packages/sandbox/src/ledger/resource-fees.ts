import type { xdr } from '@stellar/stellar-sdk'
import { rates } from './contract-settings.ts'

const resultBytes = 300

const quotientUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor
const perKb = (bytes: number, rate: bigint): bigint => quotientUp(BigInt(bytes) * rate, 1_024n)

/** Whether contracts keep what is under a key, rather than classic operations. */
export const isContracts = ({ type }: xdr.LedgerKey): boolean => type === 'contractData' || type === 'contractCode'

/** Indexes in the read-write part of the footprint: archived entries that the transaction restores. */
export const restoredBy = ({ ext }: xdr.SorobanTransactionData): ReadonlyArray<number> =>
  ext.type === 'resourceExt' ? ext.resourceExt.archivedSorobanEntries : []

/** How many entries come from disk: those of classic operations, and archived ones. What contracts keep is in memory. */
export const diskReads = (declared: xdr.SorobanTransactionData, isRestoration: boolean): number => {
  const { readOnly, readWrite } = declared.resources.footprint
  if (isRestoration) return readWrite.length
  return [...readOnly, ...readWrite].filter((key) => !isContracts(key)).length + restoredBy(declared).length
}

/**
 * What a transaction pays for what it declares, in stroops, whether it uses it or not. `size` is that of its envelope in
 * bytes. Source: soroban-env-host, fees.rs, `compute_transaction_resource_fee`.
 */
export const nonRefundableFee = (
  declared: xdr.SorobanTransactionData,
  { size, isRestoration }: { readonly size: number; readonly isRestoration: boolean },
): bigint => {
  const { footprint, instructions, diskReadBytes, writeBytes } = declared.resources
  return (
    quotientUp(BigInt(instructions) * rates.per10kInstructions, 10_000n) +
    BigInt(diskReads(declared, isRestoration)) * rates.perDiskReadEntry +
    BigInt(footprint.readWrite.length) * rates.perWriteEntry +
    perKb(diskReadBytes, rates.perDiskRead1Kb) +
    perKb(writeBytes, rates.perWrite1Kb) +
    perKb(size + resultBytes, rates.perHistory1Kb) +
    perKb(size, rates.perSize1Kb)
  )
}

/** What events and a return value of so many bytes cost, in stroops: paid out of the refundable part of a fee. */
export const eventsFee = (bytes: number): bigint => perKb(bytes, rates.perEvents1Kb)
