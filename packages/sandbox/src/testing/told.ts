import type { xdr } from '@stellar/stellar-sdk'

const isIdle = (one?: xdr.LedgerEntryChange, other?: xdr.LedgerEntryChange): boolean =>
  one?.type === 'ledgerEntryState' &&
  other?.type === 'ledgerEntryUpdated' &&
  one.value.data.equals(other.value.data) &&
  one.value.ext.equals(other.value.ext)

const toldOne = (change: xdr.LedgerEntryChange): string =>
  change.type === 'ledgerEntryRemoved'
    ? change.toXdr('hex')
    : `${change.type} ${change.value.data.toXdr('hex')} ${change.value.ext.toXdr('hex')}`

/**
 * Changes as text, in order of the text: the order in a meta is that of a hash table. Left out is what changes nothing,
 * since core also notes what it has only looked at, and for the same reason the ledger that last touched an entry.
 */
export const told = (changes: ReadonlyArray<xdr.LedgerEntryChange>): ReadonlyArray<string> =>
  changes
    .filter((change, at) => !isIdle(change, changes[at + 1]) && !isIdle(changes[at - 1], change))
    .map(toldOne)
    .toSorted()

/** All that a transaction has changed: before its operations, by each of them, and after. */
export const errorValueFor = (meta: xdr.TransactionMeta): ReadonlyArray<ReadonlyArray<string>> => {
  if (meta.type !== 'v4') throw new Error(`a meta of form ${meta.type}`)
  const { txChangesBefore, operations, txChangesAfter } = meta.v4
  return [told(txChangesBefore), ...operations.map(({ changes }) => told(changes)), told(txChangesAfter)]
}
