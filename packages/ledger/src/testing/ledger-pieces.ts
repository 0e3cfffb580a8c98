import { xdr } from '@stellar/stellar-sdk'
import type { ToldTransaction } from '../stellar/divided-ledger.ts'
import { sha256 } from '../stellar/transaction-hash.ts'
import type { RawLedger } from './ledger-nodes.ts'

/** A transaction of a ledger as bytes: each part may be one that no decoder knows. */
export type TransactionPieces = {
  readonly hash: Buffer
  readonly envelope: Buffer
  readonly result: Buffer
  readonly feeChanges: Buffer
  readonly meta: Buffer
  readonly refund: Buffer
}

/** A ledger as bytes. The set of transactions begins with `set`, and holds each envelope. */
export type LedgerPieces = {
  readonly header: xdr.LedgerHeader
  readonly set: Buffer
  readonly transactions: ReadonlyArray<TransactionPieces>
  readonly tail: Buffer
}

const buffer = (value: { toXdr: () => Uint8Array }): Buffer => Buffer.from(value.toXdr())

const changes = (each: ReadonlyArray<xdr.LedgerEntryChange>): Buffer =>
  Buffer.concat([uint32(each.length), ...each.map(buffer)])

export const uint32 = (number: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}

export const piecesOf = (
  { metadataXdr }: RawLedger,
  envelopes: ReadonlyMap<string, xdr.TransactionEnvelope>,
): LedgerPieces => {
  const meta = xdr.LedgerCloseMeta.fromXdr(metadataXdr, 'base64')
  if (meta.type !== 'v2') throw new Error('the sandbox writes version 2')
  const { ledgerHeader, txSet, txProcessing, scpInfo, totalByteSizeOfLiveSorobanState, evictedKeys } = meta.v2
  if (scpInfo.length + evictedKeys.length + meta.v2.upgradesProcessing.length > 0)
    throw new Error('the sandbox writes none')
  const state = Buffer.alloc(8)
  state.writeBigUInt64BE(totalByteSizeOfLiveSorobanState)
  return {
    header: ledgerHeader.header,
    set: buffer(txSet),
    transactions: txProcessing.map(({ result, feeProcessing, txApplyProcessing, postTxApplyFeeProcessing }) => {
      const hash = Buffer.from(result.transactionHash.toString(), 'hex')
      const envelope = envelopes.get(hash.toString('hex'))
      if (envelope === undefined) throw new Error('a transaction without its envelope')
      return {
        hash,
        envelope: buffer(envelope),
        result: buffer(result.result),
        feeChanges: changes(feeProcessing),
        meta: buffer(txApplyProcessing),
        refund: changes(postTxApplyFeeProcessing),
      }
    }),
    tail: Buffer.concat([uint32(0), uint32(0), state, uint32(0)]),
  }
}

/** The ledger of these pieces under a header that names them, and what a node tells of its transactions one by one. */
export const ledgerOf = ({ header, set, transactions, tail }: LedgerPieces) => {
  const pairs = transactions.map(({ hash, result }) => Buffer.concat([hash, result]))
  const count = uint32(transactions.length)
  const rebound = new xdr.LedgerHeader({
    ...header,
    scpValue: new xdr.StellarValue({ ...header.scpValue, txSetHash: sha256(set) }),
    txSetResultHash: sha256(count, ...pairs),
  })
  const entry = new xdr.LedgerHeaderHistoryEntry({
    header: rebound,
    hash: sha256(rebound.toXdr()),
    ext: xdr.LedgerHeaderHistoryEntryExt.v0(),
  })
  const applied = transactions.flatMap(({ feeChanges, meta, refund }, index) => [
    uint32(0),
    pairs[index] ?? Buffer.alloc(0),
    feeChanges,
    meta,
    refund,
  ])
  const bytes = Buffer.concat([uint32(2), uint32(0), buffer(entry), set, count, ...applied, tail])
  const told = transactions.map(
    ({ hash, envelope, result, meta }, index): ToldTransaction => ({
      applicationOrder: index + 1,
      txHash: hash.toString('hex'),
      envelopeXdr: envelope.toString('base64'),
      resultXdr: result.toString('base64'),
      resultMetaXdr: meta.toString('base64'),
    }),
  )
  return { metadataXdr: bytes.toString('base64'), told }
}
