import type { xdr } from '@stellar/stellar-sdk'

const isIdle = (one?: xdr.LedgerEntryChange, other?: xdr.LedgerEntryChange): boolean =>
  one?.type === 'ledgerEntryState' &&
  other?.type === 'ledgerEntryUpdated' &&
  one.value.data.equals(other.value.data) &&
  one.value.ext.equals(other.value.ext)

const changeText = (change: xdr.LedgerEntryChange): string =>
  change.type === 'ledgerEntryRemoved'
    ? change.toXdr('hex')
    : `${change.type} ${change.value.data.toXdr('hex')} ${change.value.ext.toXdr('hex')}`

/**
 * Changes as sorted text, since a meta orders them by hash table. Omits no-op updates, which core also records for
 * entries it only read, and the last-modified ledger.
 */
export const changesText = (changes: ReadonlyArray<xdr.LedgerEntryChange>): ReadonlyArray<string> =>
  changes
    .filter((change, at) => !isIdle(change, changes[at + 1]) && !isIdle(changes[at - 1], change))
    .map(changeText)
    .toSorted()

/** A transaction's changes: before its operations, by each of them, and after. */
export const metaChangesText = (meta: xdr.TransactionMeta): ReadonlyArray<ReadonlyArray<string>> => {
  if (meta.type !== 'v4') throw new Error(`a meta of form ${meta.type}`)
  const { txChangesBefore, operations, txChangesAfter } = meta.v4
  return [
    changesText(txChangesBefore),
    ...operations.map(({ changes }) => changesText(changes)),
    changesText(txChangesAfter),
  ]
}
