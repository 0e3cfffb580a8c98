import type { TransactionHash } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'

/** The changes an operation made to ledger entries, in order. */
export type EntryChanges = ReadonlyArray<xdr.LedgerEntryChange>

/** A submitted transaction with its hashes; `innerHash` is that of the transaction in a fee bump. */
export type SentTransaction = {
  readonly transactionHash: TransactionHash
  readonly innerHash: TransactionHash | null
  readonly envelope: xdr.TransactionEnvelope
}

/** The changes of one operation to ledger entries, and the events of the contracts that it called. */
export type AppliedOperation = {
  readonly changes: EntryChanges
  readonly events: ReadonlyArray<xdr.ContractEvent>
}

/**
 * A transaction as a closed ledger applied it: its envelope and its effects. Outside of operations, `feeChanges` took
 * the fee, `changesBefore` used the sequence number and one-time signers, and `changesAfter` refunded a contract call's
 * fee.
 */
export type AppliedTransaction = SentTransaction & {
  readonly result: xdr.TransactionResult
  readonly feeChanges: EntryChanges
  readonly changesBefore: EntryChanges
  readonly operations: ReadonlyArray<AppliedOperation>
  readonly changesAfter: EntryChanges
  /** The return value of a contract call; null otherwise. */
  readonly returnValue: xdr.ScVal | null
  /** The node's own log of applying the transaction, which no header covers. */
  readonly diagnosticEvents: ReadonlyArray<xdr.DiagnosticEvent>
}

type MetaParts = Omit<AppliedTransaction, keyof SentTransaction | 'result' | 'feeChanges'>

const noCall = { returnValue: null, diagnosticEvents: [] }

const withoutEvents = (operations: ReadonlyArray<xdr.OperationMeta>): ReadonlyArray<AppliedOperation> =>
  operations.map(({ changes }) => ({ changes, events: [] }))

/** Unifies the five shapes of a transaction's meta. A contract call is its transaction's only operation. */
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
