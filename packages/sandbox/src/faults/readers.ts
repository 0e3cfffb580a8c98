import type { xdr } from '@stellar/stellar-sdk'
import { closeMetaIn, transactionMetaIn } from '../ledger/close-meta.ts'
import { dataOf, keyOf } from '../ledger/entry-keys.ts'
import type { LedgerReader, LedgerSummary, StoredLedger } from '../sandbox-api.ts'

/** A ledger's changes in the order in which they happened: fees first, refunds of fees last. */
const changesIn = ({ meta }: StoredLedger): ReadonlyArray<xdr.LedgerEntryChange> => {
  const { txProcessing, upgradesProcessing } = closeMetaIn(meta)
  const applied = txProcessing.flatMap(({ txApplyProcessing }) => {
    const { txChangesBefore, operations } = transactionMetaIn(txApplyProcessing)
    return [...txChangesBefore, ...operations.flatMap(({ changes }) => changes)]
  })
  const refunds = txProcessing.flatMap(({ postTxApplyFeeProcessing }) => postTxApplyFeeProcessing)
  const upgrades = upgradesProcessing.flatMap(({ changes }) => changes)
  return [...txProcessing.flatMap(({ feeProcessing }) => feeProcessing), ...applied, ...refunds, ...upgrades]
}

/** An entry as of an older ledger: the state before its first later change. */
const entryAsOf = (read: LedgerReader, key: xdr.LedgerKey, sequence: number): xdr.LedgerEntry | undefined => {
  const sought = key.toXdr('hex')
  const later = read.ledgersFrom(sequence + 1, read.range().latest.sequence - sequence)
  for (const change of later.flatMap(changesIn)) {
    if (change.type === 'ledgerEntryCreated' && keyOf(dataOf(change.created)) === sought) return undefined
    if (change.type === 'ledgerEntryState' && keyOf(dataOf(change.state)) === sought) return change.state
  }
  return read.findEntry(key)
}

const placeAt = (read: LedgerReader, sequence: number): LedgerSummary => {
  const [found] = read.ledgersFrom(sequence, 1)
  if (found === undefined) throw new Error(`ledger ${sequence} is missing`)
  return { sequence: found.sequence, closeTime: found.closeTime }
}

/** The view of a replica that lags this many ledgers behind, but not before the oldest one stored. */
export const lagging = (read: LedgerReader, ledgers: number): LedgerReader => {
  const { oldest, latest: newest } = read.range()
  const latest = placeAt(read, Math.max(oldest.sequence, newest.sequence - ledgers))
  return {
    ...read,
    range: () => ({ oldest, latest }),
    ledgersFrom: (sequence, limit) =>
      read.ledgersFrom(sequence, limit).filter((each) => each.sequence <= latest.sequence),
    findTransaction: (hash) => {
      const found = read.findTransaction(hash)
      return found !== undefined && found.ledger <= latest.sequence ? found : undefined
    },
    transactionsFrom: (ledger, order, limit) =>
      read.transactionsFrom(ledger, order, limit).filter((each) => each.ledger <= latest.sequence),
    eventsBehind: (place, last, limit) => read.eventsBehind(place, Math.min(last, latest.sequence), limit),
    feesBetween: (kind, first, last) => read.feesBetween(kind, first, Math.min(last, latest.sequence)),
    findEntry: (key) => entryAsOf(read, key, latest.sequence),
  }
}

/** The view of a node that keeps only this many ledgers. */
export const pruned = (read: LedgerReader, keep: number): LedgerReader => {
  const { oldest: first, latest } = read.range()
  const oldest = placeAt(read, Math.max(first.sequence, latest.sequence - keep + 1))
  return {
    ...read,
    range: () => ({ oldest, latest }),
    ledgersFrom: (sequence, limit) => read.ledgersFrom(Math.max(sequence, oldest.sequence), limit),
    findTransaction: (hash) => {
      const found = read.findTransaction(hash)
      return found !== undefined && found.ledger >= oldest.sequence ? found : undefined
    },
    transactionsFrom: (ledger, order, limit) =>
      ledger < oldest.sequence
        ? read.transactionsFrom(oldest.sequence, 1, limit)
        : read.transactionsFrom(ledger, order, limit),
  }
}
