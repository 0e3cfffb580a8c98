import type { xdr } from '@stellar/stellar-sdk'
import { declaredBy, measureOf } from './contract-transaction.ts'
import type { SignedTransaction } from './envelope.ts'
import { eventsFee, nonRefundableFee } from './resource-fees.ts'

/** What came of a contract operation beside its result. `eventBytes` count the return value too; rent in stroops. */
export type ContractNotes = {
  readonly returnValue: xdr.ScVal | null
  readonly events: ReadonlyArray<xdr.ContractEvent>
  readonly diagnostics: ReadonlyArray<xdr.DiagnosticEvent>
  readonly eventBytes: number
  readonly rentFee: bigint
}

const nothingNoted: ContractNotes = { returnValue: null, events: [], diagnostics: [], eventBytes: 0, rentFee: 0n }

/** What a contract operation may use, and where it notes what came of it. */
export interface ContractRun {
  readonly networkId: Uint8Array
  readonly declared: xdr.SorobanTransactionData
  readonly note: (notes: Partial<ContractNotes>) => void
  /** Whether rent and events, of such a size, are within what the transaction has left for them. */
  readonly covers: (used: Pick<ContractNotes, 'eventBytes' | 'rentFee'>) => boolean
  readonly noted: () => ContractNotes
  /** What a successful transaction pays for resources, in stroops: the part for what it declared, and for what it used. */
  readonly charged: () => { readonly nonRefundable: bigint; readonly refundable: bigint }
  /** What of the fee for resources was paid and not used, in stroops; a failed transaction has used nothing. */
  readonly refund: (isSuccess: boolean) => bigint
}

/** Undefined for a classic transaction. */
export const contractRun = (signed: SignedTransaction): ContractRun | undefined => {
  const declared = declaredBy(signed.transaction)
  if (declared === undefined) return undefined
  const nonRefundable = nonRefundableFee(declared, measureOf(signed))
  const refundable = ({ rentFee, eventBytes }: Pick<ContractNotes, 'eventBytes' | 'rentFee'>) =>
    rentFee + eventsFee(eventBytes)
  let notes = nothingNoted
  return {
    networkId: signed.networkId,
    declared,
    note: (more) => {
      notes = { ...notes, ...more }
    },
    covers: (used) => refundable(used) <= declared.resourceFee - nonRefundable,
    noted: () => notes,
    charged: () => ({ nonRefundable, refundable: refundable(notes) }),
    refund: (isSuccess) => declared.resourceFee - nonRefundable - (isSuccess ? refundable(notes) : 0n),
  }
}
