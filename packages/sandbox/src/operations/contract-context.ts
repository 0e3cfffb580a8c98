import type { xdr } from '@stellar/stellar-sdk'

/**
 * The effects of a contract operation besides its result. `eventBytes` include the return value; rent is in stroops.
 */
export type ContractNotes = {
  readonly returnValue: xdr.ScVal | null
  readonly events: ReadonlyArray<xdr.ContractEvent>
  readonly diagnostics: ReadonlyArray<xdr.DiagnosticEvent>
  readonly eventBytes: number
  readonly rentFee: bigint
}

/** The resources that a contract operation declared, and a record of its effects. */
export interface ContractContext {
  readonly networkId: Uint8Array
  readonly declared: xdr.SorobanTransactionData
  readonly note: (notes: Partial<ContractNotes>) => void
  /** Whether the refundable fee covers this rent and these events. */
  readonly covers: (used: Pick<ContractNotes, 'eventBytes' | 'rentFee'>) => boolean
  readonly noted: () => ContractNotes
  /** The resource fee of a successful transaction, in stroops: for declared and for used resources. */
  readonly charged: () => { readonly nonRefundable: bigint; readonly refundable: bigint }
  /** The unused part of the resource fee, in stroops; a failed transaction uses nothing of the refundable part. */
  readonly refund: (isSuccess: boolean) => bigint
}
