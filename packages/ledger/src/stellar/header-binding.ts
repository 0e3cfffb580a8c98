import { xdr } from '@stellar/stellar-sdk'
import { xdrHash } from './transaction-hash.ts'

/** Before protocol 20 a set of transactions was named by the bytes of its parts, since then by its own. */
const setHash = (meta: xdr.LedgerCloseMeta): string => {
  if (meta.type !== 'v0') return xdrHash(meta.value.txSet)
  const { previousLedgerHash, txs } = meta.value.txSet
  return xdrHash(previousLedgerHash, ...txs)
}

/**
 * Throws unless a ledger's header, whose own hash the chain binds, names the transactions and the results that the
 * ledger holds. No header names the changes of entries: who forged those alone is not found out here.
 * Source: Stellar-ledger.x, `LedgerHeader`.
 */
export const checkBound = (meta: xdr.LedgerCloseMeta): void => {
  const { scpValue, txSetResultHash } = meta.value.ledgerHeader.header
  const results = meta.value.txProcessing.map(({ result }) => result)
  if (setHash(meta) !== scpValue.txSetHash.toString())
    throw new Error('the header names other transactions than the ledger holds')
  if (xdrHash(new xdr.TransactionResultSet({ results })) !== txSetResultHash.toString())
    throw new Error('the header names other results than the ledger holds')
}
