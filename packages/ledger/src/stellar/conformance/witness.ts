import { createHash } from 'node:crypto'
import { FeeBumpTransaction, Memo, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import { feeLine, memoText, paymentLine } from './payment-facts.ts'
import { accountText, type KnownPart, type StatedOperation, statedPayments } from './stated-payments.ts'

/** A transaction of a ledger: its fee and refund, and its incoming payments, as lines. */
export type WitnessedTransaction = {
  readonly hash: string
  readonly fees: ReadonlyArray<string>
  readonly payments: (part: KnownPart) => ReadonlyArray<string>
}

/** What a closed ledger holds. `isBound`: whether its header covers its transactions and their results. */
export type Witness = {
  readonly closedAt: number
  readonly hash: string
  readonly isBound: boolean
  readonly transactions: ReadonlyArray<WitnessedTransaction>
}

const sha256 = (...parts: ReadonlyArray<Uint8Array>): string => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest('hex')
}

const memoIn = (memo: xdr.Memo): string => {
  const { type, value } = Memo.fromXdrObject(memo)
  if (value === null || typeof value === 'string') return memoText(type, value ?? '')
  return memoText(type, Buffer.from(value).toString(type === 'text' ? 'utf8' : 'hex'))
}

/** The changes of the native balances of accounts, as lines. */
const feesIn = (kind: string, changes: ReadonlyArray<xdr.LedgerEntryChange>): ReadonlyArray<string> => {
  const sums = new Map<string, bigint>()
  const add = ({ data }: xdr.LedgerEntry, sign: bigint): void => {
    if (data.type !== 'account') return
    const account = accountText(data.account.accountId)
    sums.set(account, (sums.get(account) ?? 0n) + sign * data.account.balance)
  }
  for (const change of changes) {
    if (change.type === 'ledgerEntryState') add(change.state, -1n)
    if (change.type === 'ledgerEntryCreated') add(change.created, 1n)
    if (change.type === 'ledgerEntryUpdated') add(change.updated, 1n)
  }
  return [...sums].filter(([, sum]) => sum !== 0n).map(([account, sum]) => feeLine(kind, account, sum))
}

type Effects = {
  readonly operations: ReadonlyArray<Pick<StatedOperation, 'changes' | 'events'>>
  readonly after: ReadonlyArray<xdr.LedgerEntryChange>
}

const effectsIn = (meta: xdr.TransactionMeta): Effects => {
  if (meta.type === 'v4') return { operations: meta.v4.operations, after: meta.v4.txChangesAfter }
  const operations = meta.type === 'operations' ? meta.operations : meta.value.operations
  const events = meta.type === 'v3' ? (meta.v3.sorobanMeta?.events ?? []) : []
  const after = meta.type === 'v2' || meta.type === 'v3' ? meta.value.txChangesAfter : []
  return { operations: operations.map(({ changes }) => ({ changes, events })), after }
}

/** The results of a successful transaction's operations; null for a failed one. */
const resultsIn = ({ result }: xdr.TransactionResult): ReadonlyArray<xdr.OperationResult> | null => {
  if (result.type === 'txSuccess') return result.results
  if (result.type !== 'txFeeBumpInnerSuccess') return null
  const inner = result.innerResultPair.result.result
  return inner.type === 'txSuccess' ? inner.results : null
}

const operationsIn = (envelope: xdr.TransactionEnvelope) => {
  const { tx } = envelope.type === 'envelopeTypeTxFeeBump' ? envelope.feeBump.tx.innerTx.v1 : envelope.value
  if (!('operations' in tx)) throw new Error('a fee bump in a fee bump')
  const source = 'sourceAccount' in tx ? tx.sourceAccount : xdr.MuxedAccount.keyTypeEd25519(tx.sourceAccountEd25519)
  return tx.operations.map(({ sourceAccount, body }) => ({ source: sourceAccount ?? source, body }))
}

type Processed = {
  readonly result: xdr.TransactionResultPair
  readonly feeProcessing: ReadonlyArray<xdr.LedgerEntryChange>
  readonly txApplyProcessing: xdr.TransactionMeta
  readonly postTxApplyFeeProcessing?: ReadonlyArray<xdr.LedgerEntryChange>
}

const witnessed = (
  { result, feeProcessing, txApplyProcessing, postTxApplyFeeProcessing = [] }: Processed,
  envelopes: ReadonlyMap<string, xdr.TransactionEnvelope>,
  networkPassphrase: string,
): WitnessedTransaction => {
  const hash = result.transactionHash.toString()
  const envelope = envelopes.get(hash)
  if (envelope === undefined) throw new Error(`no envelope hashes to ${hash}`)
  const { operations, after } = effectsIn(txApplyProcessing)
  const results = resultsIn(result.result)
  const transaction = TransactionBuilder.fromXdr(envelope, networkPassphrase)
  const signed = transaction instanceof FeeBumpTransaction ? transaction.innerTransaction : transaction
  const innerHash = signed === transaction ? null : Buffer.from(signed.hash()).toString('hex')
  const facts = { memo: memoIn(signed.memo.toXdrObject()), innerHash }
  return {
    hash,
    fees: [...feesIn('fee', feeProcessing), ...feesIn('fee_refund', [...after, ...postTxApplyFeeProcessing])],
    payments: (part) =>
      operationsIn(envelope).flatMap((operation, index) => {
        const effects = operations[index]
        if (results === null || effects === undefined) return []
        const stated = { ...operation, ...effects, index, result: results[index] }
        return statedPayments(stated, part, networkPassphrase).map((payment) => paymentLine(payment, facts))
      }),
  }
}

const setIn = (
  meta: xdr.LedgerCloseMeta,
): { readonly envelopes: ReadonlyArray<xdr.TransactionEnvelope>; readonly hash: string } => {
  if (meta.type === 'v0') {
    const { previousLedgerHash, txs } = meta.v0.txSet
    return { envelopes: txs, hash: sha256(previousLedgerHash.value, ...txs.map((each) => each.toXdr())) }
  }
  const set = meta.value.txSet
  const envelopes = set.value.phases.flatMap((phase) =>
    phase.type === 'v0Components'
      ? phase.value.flatMap((component) => component.value.txs)
      : phase.value.executionStages.flat(2),
  )
  return { envelopes, hash: sha256(set.toXdr()) }
}

/** Reads a closed ledger with the SDK alone: whole, plainly, and without any of the ledger package's own reading. */
export const witnessOf = (metaXdr: string, networkPassphrase: string): Witness => {
  const meta = xdr.LedgerCloseMeta.fromXdr(metaXdr, 'base64')
  const { header, hash } = meta.value.ledgerHeader
  const set = setIn(meta)
  const envelopes = new Map(
    set.envelopes.map((envelope) => [
      Buffer.from(TransactionBuilder.fromXdr(envelope, networkPassphrase).hash()).toString('hex'),
      envelope,
    ]),
  )
  const processed: ReadonlyArray<Processed> = meta.value.txProcessing
  const count = Buffer.alloc(4)
  count.writeUInt32BE(processed.length)
  const results = sha256(count, ...processed.map(({ result }) => result.toXdr()))
  return {
    closedAt: Number(header.scpValue.closeTime) * 1_000,
    hash: hash.toString(),
    isBound: set.hash === header.scpValue.txSetHash.toString() && results === header.txSetResultHash.toString(),
    transactions: processed.map((each) => witnessed(each, envelopes, networkPassphrase)),
  }
}
