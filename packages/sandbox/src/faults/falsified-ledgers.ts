import { xdr } from '@stellar/stellar-sdk'
import { closeMeta, closeMetaIn, resultSet } from '../ledger/close-meta.ts'
import { orderedSet } from '../ledger/transaction-set.ts'
import { hexOf, sha256 } from '../network.ts'
import type { FaultKnobs, StoredLedger } from '../sandbox-api.ts'

/**
 * The ledger without its transactions, consistent in itself: its header names the empty set and matches its hash. Only
 * the next ledger, which names the true hash, reveals the lie.
 */
const withoutTransactions = (ledger: StoredLedger): StoredLedger => {
  const { ledgerHeader } = closeMetaIn(ledger.meta)
  const { set, hash: txSetHash } = orderedSet(ledgerHeader.header.previousLedgerHash.value, [])
  const header = new xdr.LedgerHeader({
    ...ledgerHeader.header,
    scpValue: new xdr.StellarValue({ ...ledgerHeader.header.scpValue, txSetHash }),
    txSetResultHash: sha256(resultSet([]).toXdr()),
  })
  const hash = sha256(header.toXdr())
  const told = new xdr.LedgerHeaderHistoryEntry({ hash, header, ext: ledgerHeader.ext })
  return { ...ledger, hash: hexOf(hash), meta: closeMeta(told, set, []).toXdr() }
}

/** A page of `getLedgers`, with a ledger falsified or left out as the knobs say. */
export const falsifiedLedgers = (
  ledgers: ReadonlyArray<StoredLedger>,
  faults: FaultKnobs,
): ReadonlyArray<StoredLedger> => {
  const { lie, ledger_gap: gap } = faults.present()
  const lied = lie && ledgers.find((each) => lie.ledger === each.sequence || isEventful(each, lie.ledger))
  const told = lied !== undefined && faults.take('lie') !== undefined
  const page = told ? ledgers.map((each) => (each === lied ? withoutTransactions(each) : each)) : ledgers
  const middle = page.length < 3 ? undefined : page[Math.floor(page.length / 2)]
  const missing = gap && (gap.ledger === undefined ? middle : page.find(({ sequence }) => sequence === gap.ledger))
  return missing !== undefined && faults.take('ledger_gap') !== undefined
    ? page.filter((each) => each !== missing)
    : page
}

const isEventful = (ledger: StoredLedger, chosen: number | undefined): boolean =>
  chosen === undefined && closeMetaIn(ledger.meta).txProcessing.length > 0
