import type { TransactionHash } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'

/** The changes an operation made to ledger entries, in order. */
export type EntryChanges = ReadonlyArray<xdr.LedgerEntryChange>

/** A transaction as it was sent, with the hashes by which the network knows it; `innerHash` of the one in a fee bump. */
export type SentTransaction = {
  readonly transactionHash: TransactionHash
  readonly innerHash: TransactionHash | null
  readonly envelope: xdr.TransactionEnvelope
}

/** What one operation did to ledger entries, and what the contracts that it called said of it. */
export type AppliedOperation = {
  readonly changes: EntryChanges
  readonly events: ReadonlyArray<xdr.ContractEvent>
}

/**
 * A transaction as a closed ledger applied it, with its envelope beside what came of it. The changes outside its
 * operations: `feeChanges` took the fee, `changesBefore` used the sequence number and one-time signers, `changesAfter`
 * gave back what was left of a contract call's fee.
 */
export type AppliedTransaction = SentTransaction & {
  readonly result: xdr.TransactionResult
  readonly feeChanges: EntryChanges
  readonly changesBefore: EntryChanges
  readonly operations: ReadonlyArray<AppliedOperation>
  readonly changesAfter: EntryChanges
  /** What a contract call answered; null of everything else. */
  readonly returnValue: xdr.ScVal | null
  /** What the node that told the ledger saw while it was applied. No header names it. */
  readonly diagnosticEvents: ReadonlyArray<xdr.DiagnosticEvent>
}

type MetaParts = Omit<AppliedTransaction, keyof SentTransaction | 'result' | 'feeChanges'>

const noCall = { returnValue: null, diagnosticEvents: [] }

const withoutEvents = (operations: ReadonlyArray<xdr.OperationMeta>): ReadonlyArray<AppliedOperation> =>
  operations.map(({ changes }) => ({ changes, events: [] }))

/** The five shapes of a transaction's meta as one. A contract call is its transaction's only operation. */
export const metaParts = (meta: xdr.TransactionMeta): MetaParts => {
  switch (meta.type) {
    case 'operations':
      return { ...noCall, changesBefore: [], operations: withoutEvents(meta.operations), changesAfter: [] }
    case 'v1':
      return {
        ...noCall,
        changesBefore: meta.v1.txChanges,
        operations: withoutEvents(meta.v1.operations),
        changesAfter: [],
      }
    case 'v2': {
      const { txChangesBefore, operations, txChangesAfter } = meta.v2
      return {
        ...noCall,
        changesBefore: txChangesBefore,
        operations: withoutEvents(operations),
        changesAfter: txChangesAfter,
      }
    }
    case 'v3': {
      const { txChangesBefore, operations, txChangesAfter, sorobanMeta } = meta.v3
      const events = sorobanMeta?.events ?? []
      return {
        changesBefore: txChangesBefore,
        operations: operations.map(({ changes }) => ({ changes, events })),
        changesAfter: txChangesAfter,
        returnValue: sorobanMeta?.returnValue ?? null,
        diagnosticEvents: sorobanMeta?.diagnosticEvents ?? [],
      }
    }
    case 'v4': {
      const { txChangesBefore, operations, txChangesAfter, sorobanMeta, diagnosticEvents } = meta.v4
      return {
        changesBefore: txChangesBefore,
        operations,
        changesAfter: txChangesAfter,
        returnValue: sorobanMeta?.returnValue ?? null,
        diagnosticEvents,
      }
    }
  }
}
