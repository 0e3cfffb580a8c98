import type { xdr } from '@stellar/stellar-sdk'

/** What came of a contract operation beside its result. `eventBytes` count the return value too; rent in stroops. */
export type ContractNotes = {
  readonly returnValue: xdr.ScVal | null
  readonly events: ReadonlyArray<xdr.ContractEvent>
  readonly diagnostics: ReadonlyArray<xdr.DiagnosticEvent>
  readonly eventBytes: number
  readonly rentFee: bigint
}

/** What a contract operation may use, and where it notes what came of it. */
export interface ContractPlace {
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
