import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { xdr } from '@stellar/stellar-sdk'

/** Mainnet's passphrase, since the ledgers consist of its recorded transactions. */
export const passphrase = 'Public Global Stellar Network ; September 2015'
export const firstSequence = 1_000
export const closeTimeOf = (sequence: number): number => 1_790_000_000 + 6 * sequence

const folder = new URL('../../shared/conformance/', import.meta.url)
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()

type Applied = { readonly envelope: xdr.TransactionEnvelope; readonly processed: xdr.TransactionResultMetaV1 }

const processedOf = (
  result: xdr.TransactionResultPair,
  feeProcessing: xdr.LedgerEntryChange[],
  txApplyProcessing: xdr.TransactionMeta,
): xdr.TransactionResultMetaV1 =>
  new xdr.TransactionResultMetaV1({
    ext: xdr.ExtensionPoint.v0(),
    result,
    feeProcessing,
    txApplyProcessing,
    postTxApplyFeeProcessing: [],
  })

/** The 50 recorded transactions of August 2026 with their changes. */
const recorded = (): ReadonlyArray<Applied> => {
  const { transactions } = JSON.parse(readFileSync(new URL('mainnet-transactions.json', folder), 'utf8'))
  return transactions.map(
    (each: { txHash: string; envelopeXdr: string; resultXdr: string; resultMetaXdr: string }) => ({
      envelope: xdr.TransactionEnvelope.fromXdr(each.envelopeXdr, 'base64'),
      processed: processedOf(
        new xdr.TransactionResultPair({
          transactionHash: Buffer.from(each.txHash, 'hex'),
          result: xdr.TransactionResult.fromXdr(each.resultXdr, 'base64'),
        }),
        [],
        xdr.TransactionMeta.fromXdr(each.resultMetaXdr, 'base64'),
      ),
    }),
  )
}

const header = (): xdr.LedgerHeader => {
  const [line = ''] = gunzipSync(readFileSync(new URL('ledger-close-meta/mainnet.jsonl.gz', folder)))
    .toString('utf8')
    .split('\n')
  const meta = xdr.LedgerCloseMeta.fromXdr(JSON.parse(line).xdr, 'base64')
  return meta.value.ledgerHeader.header
}

/** Linked ledgers that repeat the recorded transactions; their metas in base64. */
export const chainOf = (count: number, transactions: number): ReadonlyArray<string> => {
  const source = recorded()
  const applied = Array.from({ length: transactions }, (_, index) => source[index % source.length]).filter(
    (each) => each !== undefined,
  )
  const component = new xdr.TxSetComponentTxsMaybeDiscountedFee({
    baseFee: 100n,
    txs: applied.map(({ envelope }) => envelope),
  })
  const phase = xdr.TransactionPhase.v0Components([xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(component)])
  const txProcessing = applied.map(({ processed }) => processed)
  const results = txProcessing.map(({ result }) => result)
  const txSetResultHash = sha256(new xdr.TransactionResultSet({ results }).toXdr())
  const like = header()
  let previousLedgerHash: Uint8Array = sha256(Buffer.from('the first'))
  return Array.from({ length: count }, (_, index) => {
    const ledgerSeq = firstSequence + index
    const txSet = xdr.GeneralizedTransactionSet.v1TxSet(
      new xdr.TransactionSetV1({ previousLedgerHash, phases: [phase] }),
    )
    const closeTime = BigInt(closeTimeOf(ledgerSeq))
    const scpValue = new xdr.StellarValue({ ...like.scpValue, txSetHash: sha256(txSet.toXdr()), closeTime })
    const own = new xdr.LedgerHeader({ ...like, ledgerSeq, previousLedgerHash, scpValue, txSetResultHash })
    const hash = sha256(own.toXdr())
    previousLedgerHash = hash
    const meta = new xdr.LedgerCloseMetaV2({
      ext: xdr.LedgerCloseMetaExt.v0(),
      ledgerHeader: new xdr.LedgerHeaderHistoryEntry({ hash, header: own, ext: xdr.LedgerHeaderHistoryEntryExt.v0() }),
      txSet,
      txProcessing,
      upgradesProcessing: [],
      scpInfo: [],
      totalByteSizeOfLiveSorobanState: 0n,
      evictedKeys: [],
    })
    return xdr.LedgerCloseMeta.v2(meta).toXdr('base64')
  })
}
