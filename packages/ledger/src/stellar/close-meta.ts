import type { TransactionHash } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import { checkBound } from './header-binding.ts'
import { networkId, transactionHashes, xdrHash } from './transaction-hash.ts'

/** The changes an operation made to ledger entries, in order. */
export type EntryChanges = ReadonlyArray<xdr.LedgerEntryChange>

type SentTransaction = {
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
}

export type CloseMeta = {
  readonly header: xdr.LedgerHeader
  readonly hash: string
  readonly transactions: ReadonlyArray<AppliedTransaction>
}

const envelopesOf = (meta: xdr.LedgerCloseMeta): ReadonlyArray<xdr.TransactionEnvelope> =>
  meta.type === 'v0'
    ? meta.value.txSet.txs
    : meta.value.txSet.value.phases.flatMap((phase) =>
        phase.type === 'v0Components'
          ? phase.value.flatMap((component) => component.value.txs)
          : phase.value.executionStages.flat(2),
      )

type MetaParts = Pick<AppliedTransaction, 'changesBefore' | 'operations' | 'changesAfter'>

const withoutEvents = (operations: ReadonlyArray<xdr.OperationMeta>): ReadonlyArray<AppliedOperation> =>
  operations.map(({ changes }) => ({ changes, events: [] }))

/** The five shapes of a transaction's meta as one. A contract call is its transaction's only operation. */
export const metaParts = (meta: xdr.TransactionMeta): MetaParts => {
  switch (meta.type) {
    case 'operations':
      return { changesBefore: [], operations: withoutEvents(meta.operations), changesAfter: [] }
    case 'v1':
      return { changesBefore: meta.v1.txChanges, operations: withoutEvents(meta.v1.operations), changesAfter: [] }
    case 'v2': {
      const { txChangesBefore, operations, txChangesAfter } = meta.v2
      return {
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
      }
    }
    case 'v4': {
      const { txChangesBefore, operations, txChangesAfter } = meta.v4
      return { changesBefore: txChangesBefore, operations, changesAfter: txChangesAfter }
    }
  }
}

/**
 * Decodes a base64 `LedgerCloseMeta`, transactions in the order in which they were applied. Results and envelopes stand
 * in different orders there and are matched by hash, recomputed from each envelope; so are the header's own
 * hash and those in it that name the transactions and their results.
 * Throws on anything malformed, on a wrong network passphrase and on a ledger that contradicts itself.
 * Source: Stellar-ledger.x.
 */
export const decodeCloseMeta = (metaXdr: string, networkPassphrase: string): CloseMeta => {
  const meta = xdr.LedgerCloseMeta.fromXdr(Buffer.from(metaXdr, 'base64'))
  checkBound(meta)
  return readCloseMeta(meta, networkPassphrase)
}

/** Reads a decoded ledger in the same way, but for the hashes in its header: recorded load tests are put together. */
export const readCloseMeta = (meta: xdr.LedgerCloseMeta, networkPassphrase: string): CloseMeta => {
  const { header, hash: statedHash } = meta.value.ledgerHeader
  const hash = xdrHash(header)
  if (hash !== statedHash.toString()) throw new Error('the header does not have the hash that the ledger states')
  const network = networkId(networkPassphrase)
  const envelopes = new Map<string, SentTransaction>(
    envelopesOf(meta).map((envelope) => {
      const hashes = transactionHashes(network, envelope)
      return [hashes.transactionHash, { ...hashes, envelope }]
    }),
  )
  const transactions = meta.value.txProcessing.map((processed) => {
    const { result, feeProcessing, txApplyProcessing } = processed
    const transactionHash = result.transactionHash.toString()
    const sent = envelopes.get(transactionHash)
    if (sent === undefined) throw new Error(`no envelope hashes to transaction ${transactionHash}`)
    const { changesBefore, operations, changesAfter } = metaParts(txApplyProcessing)
    const refund = 'postTxApplyFeeProcessing' in processed ? processed.postTxApplyFeeProcessing : []
    return {
      ...sent,
      result: result.result,
      feeChanges: feeProcessing,
      changesBefore,
      operations,
      changesAfter: [...changesAfter, ...refund],
    }
  })
  return { header, hash, transactions }
}
