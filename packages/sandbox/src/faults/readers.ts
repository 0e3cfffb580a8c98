import { xdr } from '@stellar/stellar-sdk'
import { dataOf, keyOf } from '../ledger/entry-keys.ts'
import type { LedgerPlace, LedgerReader, StoredLedger } from '../sandbox-api.ts'

/** The changes of a ledger in the order in which they came about: all fees first, what of them is given back last. */
const changesIn = ({ meta }: StoredLedger): ReadonlyArray<xdr.LedgerEntryChange> => {
  const decoded = xdr.LedgerCloseMeta.fromXdr(meta)
  if (decoded.type !== 'v2') throw new Error(`a stored ledger is in the form ${decoded.type}`)
  const { txProcessing, upgradesProcessing } = decoded.v2
  const applied = txProcessing.flatMap(({ txApplyProcessing }) => {
    if (txApplyProcessing.type !== 'v4') throw new Error(`a stored meta is in the form ${txApplyProcessing.type}`)
    const { txChangesBefore, operations } = txApplyProcessing.v4
    return [...txChangesBefore, ...operations.flatMap(({ changes }) => changes)]
  })
  const refunds = txProcessing.flatMap(({ postTxApplyFeeProcessing }) => postTxApplyFeeProcessing)
  const upgrades = upgradesProcessing.flatMap(({ changes }) => changes)
  return [...txProcessing.flatMap(({ feeProcessing }) => feeProcessing), ...applied, ...refunds, ...upgrades]
}

/** An entry as a ledger left it: what the first later change of it began with. */
const entryAsOf = (read: LedgerReader, key: xdr.LedgerKey, sequence: number): xdr.LedgerEntry | undefined => {
  const sought = key.toXdr('hex')
  const later = read.ledgersFrom(sequence + 1, read.range().latest.sequence - sequence)
  for (const change of later.flatMap(changesIn)) {
    if (change.type === 'ledgerEntryCreated' && keyOf(dataOf(change.created)) === sought) return undefined
    if (change.type === 'ledgerEntryState' && keyOf(dataOf(change.state)) === sought) return change.state
  }
  return read.findEntry(key)
}

const placeAt = (read: LedgerReader, sequence: number): LedgerPlace => {
  const [found] = read.ledgersFrom(sequence, 1)
  if (found === undefined) throw new Error(`ledger ${sequence} is missing`)
  return { sequence: found.sequence, closeTime: found.closeTime }
}

/** The ledger as a replica knows it that is so many ledgers late, but never before the first one kept. */
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

/** The ledger as a node knows it that has kept only the last ledgers, so many of them. */
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
