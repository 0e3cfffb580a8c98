import type { TransactionHash } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import { networkId, transactionHashes, xdrHash } from './transaction-hash.ts'

/** The changes an operation made to ledger entries, in order. */
export type EntryChanges = ReadonlyArray<xdr.LedgerEntryChange>

type SentTransaction = {
  readonly transactionHash: TransactionHash
  readonly innerHash: TransactionHash | null
  readonly envelope: xdr.TransactionEnvelope
}

/** A transaction as a closed ledger applied it, with its envelope beside what came of it. */
export type AppliedTransaction = SentTransaction & {
  readonly result: xdr.TransactionResult
  readonly operationChanges: ReadonlyArray<EntryChanges>
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

const operationChangesOf = (meta: xdr.TransactionMeta): ReadonlyArray<EntryChanges> =>
  (meta.type === 'operations' ? meta.value : meta.value.operations).map(({ changes }) => changes)

/**
 * Decodes a base64 `LedgerCloseMeta`, transactions in the order in which they were applied. Results and envelopes stand
 * in different orders there and are matched by hash, recomputed from each envelope; the header's hash is recomputed too.
 * Throws on anything malformed, on a wrong network passphrase and on a ledger that contradicts itself.
 * Source: Stellar-ledger.x.
 */
export const decodeCloseMeta = (metaXdr: string, networkPassphrase: string): CloseMeta => {
  const meta = xdr.LedgerCloseMeta.fromXdr(metaXdr, 'base64')
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
  const transactions = meta.value.txProcessing.map(({ result, txApplyProcessing }) => {
    const transactionHash = result.transactionHash.toString()
    const sent = envelopes.get(transactionHash)
    if (sent === undefined) throw new Error(`no envelope hashes to transaction ${transactionHash}`)
    return { ...sent, result: result.result, operationChanges: operationChangesOf(txApplyProcessing) }
  })
  return { header, hash, transactions }
}
