import type { xdr } from '@stellar/stellar-sdk'
import { divideUp } from '../divide-up.ts'
import { rates } from './contract-settings.ts'

const resultBytes = 300

const perKb = (bytes: number, rate: bigint): bigint => divideUp(BigInt(bytes) * rate, 1_024n)

/** Whether the key is that of a contract entry. */
export const isContracts = ({ type }: xdr.LedgerKey): boolean => type === 'contractData' || type === 'contractCode'

/** Indexes, in the read-write footprint, of archived entries that the transaction restores. */
export const restoredBy = ({ ext }: xdr.SorobanTransactionData): ReadonlyArray<number> =>
  ext.type === 'resourceExt' ? ext.resourceExt.archivedSorobanEntries : []

/** The number of entries read from disk: classic and archived ones. Contract entries are in memory. */
export const diskReads = (declared: xdr.SorobanTransactionData, isRestoration: boolean): number => {
  const { readOnly, readWrite } = declared.resources.footprint
  if (isRestoration) return readWrite.length
  return [...readOnly, ...readWrite].filter((key) => !isContracts(key)).length + restoredBy(declared).length
}

/**
 * The fee for declared resources in stroops, used or not. `size` is the envelope's in bytes.
 * Source: soroban-env-host, fees.rs, `compute_transaction_resource_fee`.
 */
export const nonRefundableFee = (
  declared: xdr.SorobanTransactionData,
  { size, isRestoration }: { readonly size: number; readonly isRestoration: boolean },
): bigint => {
  const { footprint, instructions, diskReadBytes, writeBytes } = declared.resources
  return (
    divideUp(BigInt(instructions) * rates.per10kInstructions, 10_000n) +
    BigInt(diskReads(declared, isRestoration)) * rates.perDiskReadEntry +
    BigInt(footprint.readWrite.length) * rates.perWriteEntry +
    perKb(diskReadBytes, rates.perDiskRead1Kb) +
    perKb(writeBytes, rates.perWrite1Kb) +
    perKb(size + resultBytes, rates.perHistory1Kb) +
    perKb(size, rates.perSize1Kb)
  )
}

/** The fee for events and a return value of this size, in stroops; part of the refundable fee. */
export const eventsFee = (bytes: number): bigint => perKb(bytes, rates.perEvents1Kb)
