import { xdr } from '@stellar/stellar-sdk'
import { type AppliedTransaction, metaParts, type SentTransaction } from './applied-transaction.ts'
import { checkBound, type HeldHashes, isBound, isOfBeginning } from './header-binding.ts'
import { networkId, sha256, transactionHashes } from './transaction-hash.ts'
import { readInParts, type XdrParts } from './xdr-parts.ts'

/** A closed ledger with a summary of each of its transactions. */
export type CloseMeta<Kept> = {
  readonly header: xdr.LedgerHeader
  readonly hash: string
  readonly transactions: ReadonlyArray<Kept>
}

/** Summarises a transaction; the rest of it becomes garbage before the next is read. */
type Keep<Kept> = (transaction: AppliedTransaction) => Kept

const envelopesOf = (set: xdr.GeneralizedTransactionSet): ReadonlyArray<xdr.TransactionEnvelope> =>
  set.value.phases.flatMap((phase) =>
    phase.type === 'v0Components'
      ? phase.value.flatMap((component) => component.value.txs)
      : phase.value.executionStages.flat(2),
  )

type TransactionSet = { readonly envelopes: ReadonlyArray<xdr.TransactionEnvelope>; readonly hash: string }

const LEDGER_HASH_LENGTH = 32
const COUNT_LENGTH = 4

/** Before protocol 20 the hash of a set covers its parts without their number, since then all of its bytes. */
const transactionSet = (parts: XdrParts, version: number): TransactionSet => {
  if (version === 0) {
    const { value, bytes } = parts.standing(() => parts.one(xdr.TransactionSet))
    const transactions = bytes.subarray(LEDGER_HASH_LENGTH + COUNT_LENGTH)
    return { envelopes: value.txs, hash: sha256(bytes.subarray(0, LEDGER_HASH_LENGTH), transactions).toString('hex') }
  }
  const { value, bytes } = parts.standing(() => parts.one(xdr.GeneralizedTransactionSet))
  return { envelopes: envelopesOf(value), hash: sha256(bytes).toString('hex') }
}

/** The transactions of envelopes, by their hashes. */
export const sentTransactions = (
  envelopes: ReadonlyArray<xdr.TransactionEnvelope>,
  networkPassphrase: string,
): ReadonlyMap<string, SentTransaction> => {
  const network = networkId(networkPassphrase)
  return new Map(
    envelopes.map((envelope) => {
      const hashes = transactionHashes(network, envelope)
      return [hashes.transactionHash, { ...hashes, envelope }]
    }),
  )
}

/** One transaction of a ledger, with the bytes of its result. */
export const readApplied = (
  parts: XdrParts,
  version: number,
  sent: ReadonlyMap<string, SentTransaction>,
): { readonly applied: AppliedTransaction; readonly resultBytes: Uint8Array } => {
  if (version === 2) parts.one(xdr.ExtensionPoint)
  const { value, bytes } = parts.standing(() => parts.one(xdr.TransactionResultPair))
  const transactionHash = value.transactionHash.toString()
  const envelope = sent.get(transactionHash)
  if (envelope === undefined) throw new Error(`no envelope hashes to transaction ${transactionHash}`)
  const feeChanges = parts.arrayOf(xdr.LedgerEntryChange)
  const meta = metaParts(parts.one(xdr.TransactionMeta))
  const refund = version === 2 ? parts.arrayOf(xdr.LedgerEntryChange) : []
  const changesAfter = [...meta.changesAfter, ...refund]
  return { applied: { ...envelope, ...meta, result: value.result, feeChanges, changesAfter }, resultBytes: bytes }
}

/** The hash of a ledger's results, in the order of application. */
export const hashOfResults = (results: ReadonlyArray<Uint8Array>): string => {
  const count = Buffer.alloc(COUNT_LENGTH)
  count.writeUInt32BE(results.length)
  return sha256(count, ...results).toString('hex')
}

/** The parts after the transactions, which nothing here reads. */
export const readOn = (parts: XdrParts, version: number): void => {
  parts.arrayOf(xdr.UpgradeEntryMeta)
  parts.arrayOf(xdr.ScpHistoryEntry)
  if (version === 0) return
  parts.uint64()
  parts.arrayOf(xdr.LedgerKey)
  if (version === 1) parts.arrayOf(xdr.LedgerEntry)
}

const readParts = <Kept>(
  parts: XdrParts,
  networkPassphrase: string,
  keep: Keep<Kept>,
): CloseMeta<Kept> & { readonly held: HeldHashes } => {
  const version = parts.uint32()
  if (version > 2) throw new Error(`a ledger in an unknown form, ${version}`)
  if (version > 0) parts.one(xdr.LedgerCloseMetaExt)
  const { header, hash: statedHash } = parts.one(xdr.LedgerHeaderHistoryEntry)
  const hash = sha256(header.toXdr()).toString('hex')
  if (hash !== statedHash.toString()) throw new Error('the header does not have the hash that the ledger states')
  const set = transactionSet(parts, version)
  const sent = sentTransactions(set.envelopes, networkPassphrase)

  const results: Array<Uint8Array> = []
  const transactions = parts.array(() => {
    const { applied, resultBytes } = readApplied(parts, version, sent)
    results.push(resultBytes)
    return keep(applied)
  })
  readOn(parts, version)
  const held = { transactions: set.hash, results: hashOfResults(results) }
  return { header, hash, transactions, held }
}

const read = <Kept>(metaXdr: string, networkPassphrase: string, keep: Keep<Kept>) =>
  readInParts(Buffer.from(metaXdr, 'base64'), (parts) => readParts(parts, networkPassphrase, keep))

/**
 * Decodes a base64 `LedgerCloseMeta`, transactions in the order of application. The meta holds results and envelopes in
 * different orders; they are matched by hash, recomputed from each envelope. The header's own hash, and its hashes of
 * transactions and results, are recomputed too. A ledger of protocol 0 has no transactions here, since its header
 * covers none.
 * Throws on anything malformed, on a wrong network passphrase and on a ledger that contradicts itself.
 * Source: Stellar-ledger.x.
 */
export const decodeCloseMeta = <Kept>(
  metaXdr: string,
  networkPassphrase: string,
  keep: Keep<Kept>,
): CloseMeta<Kept> => {
  const meta = read(metaXdr, networkPassphrase, keep)
  if (isOfBeginning(meta.header) && !isBound(meta.header, meta.held)) return { ...meta, transactions: [] }
  checkBound(meta.header, meta.held)
  return meta
}

/** Decodes a ledger without checking the hashes in its header: recorded load tests are composed of several ledgers. */
export const decodeUnboundMeta: typeof decodeCloseMeta = read
