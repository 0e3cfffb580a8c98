import { xdr } from '@stellar/stellar-sdk'
import type { AppliedTransaction } from './apply-transaction.ts'
import { ledgerLimits } from './contract-settings.ts'

const pairOf = ({ signed, result }: AppliedTransaction): xdr.TransactionResultPair =>
  new xdr.TransactionResultPair({ transactionHash: signed.hash, result })

export const resultSet = (applied: ReadonlyArray<AppliedTransaction>): xdr.TransactionResultSet =>
  new xdr.TransactionResultSet({ results: applied.map(pairOf) })

/** An upgrade that carries entry changes made outside transactions; it changes nothing else. */
const upgradeWith = (changes: xdr.LedgerEntryChange[]): xdr.UpgradeEntryMeta =>
  new xdr.UpgradeEntryMeta({
    upgrade: xdr.LedgerUpgrade.ledgerUpgradeMaxSorobanTxSetSize(ledgerLimits.transactions),
    changes,
  })

/** A closed ledger's meta, in the form used since protocol 23. */
export const closeMeta = (
  ledgerHeader: xdr.LedgerHeaderHistoryEntry,
  txSet: xdr.GeneralizedTransactionSet,
  applied: ReadonlyArray<AppliedTransaction>,
  changedAfter: xdr.LedgerEntryChange[] = [],
): xdr.LedgerCloseMeta =>
  xdr.LedgerCloseMeta.v2(
    new xdr.LedgerCloseMetaV2({
      ext: xdr.LedgerCloseMetaExt.v0(),
      ledgerHeader,
      txSet,
      txProcessing: applied.map(
        (each) =>
          new xdr.TransactionResultMetaV1({
            ext: xdr.ExtensionPoint.v0(),
            result: pairOf(each),
            feeProcessing: each.feeChanges,
            txApplyProcessing: each.meta,
            postTxApplyFeeProcessing: each.refundChanges,
          }),
      ),
      upgradesProcessing: changedAfter.length === 0 ? [] : [upgradeWith(changedAfter)],
      scpInfo: [],
      totalByteSizeOfLiveSorobanState: 0n,
      evictedKeys: [],
    }),
  )

type Reader = Parameters<xdr.XdrType<unknown>['_read']>[0]

/** Reads only the header of a ledger's meta, which comes first; the rest may be long. */
class HeaderOfMeta extends xdr.BaseType<xdr.LedgerHeaderHistoryEntry> {
  readonly kind = 'header of a ledger'

  _read(reader: Reader): xdr.LedgerHeaderHistoryEntry {
    const form = reader.readUint32('form')
    if (form !== 2) throw new Error(`a stored ledger is in the form ${form}`)
    xdr.LedgerCloseMetaExt.schema._read(reader, 'ext')
    const { schema, name } = xdr.LedgerHeaderHistoryEntry
    const header = xdr.LedgerHeaderHistoryEntry.fromXdrObject(schema._read(reader, name))
    reader.readBytes(reader.remaining, 'the rest')
    return header
  }

  _write(): never {
    throw new Error('headers are only read')
  }
}

/** Decodes a stored ledger's meta, which `closeMeta` has written. */
export const closeMetaIn = (meta: Uint8Array): xdr.LedgerCloseMetaV2 => {
  const decoded = xdr.LedgerCloseMeta.fromXdr(meta)
  if (decoded.type !== 'v2') throw new Error(`a stored ledger has the unexpected form ${decoded.type}`)
  return decoded.v2
}

/** Narrows a stored transaction's meta to the form that this ledger writes. */
export const transactionMetaIn = (meta: xdr.TransactionMeta): xdr.TransactionMetaV4 => {
  if (meta.type !== 'v4') throw new Error(`a stored transaction's meta has the unexpected form ${meta.type}`)
  return meta.v4
}

export const headerIn = (meta: Uint8Array): xdr.LedgerHeaderHistoryEntry => new HeaderOfMeta().decode(meta)
