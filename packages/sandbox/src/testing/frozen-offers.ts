import { xdr } from '@stellar/stellar-sdk'
import { findOffer, releaseOffer } from '../exchange/offers.ts'
import { type ClosingLedger, draftOn, type LedgerView } from '../ledger/draft.ts'
import { dataOf, type EntryKey, keyOf } from '../ledger/entry-keys.ts'
import { removeEntry } from '../ledger/sponsorship.ts'
import { claimedOffers, claimsIn } from './claims.ts'

type Changes = ReadonlyArray<xdr.LedgerEntryChange>

/**
 * Offers that validators have frozen (CAP-77), which this ledger does not support. Core removes them when an exchange
 * meets them: they are removed offers that the source neither claimed nor owns.
 */
export const frozenOffers = (
  source: xdr.PublicKey,
  result: xdr.OperationResult,
  changes: Changes,
): ReadonlyArray<EntryKey> => {
  const claims = claimsIn(result)
  if (claims === undefined) return []
  const claimed = claimedOffers(claims).map(({ offerId }) => offerId)
  return changes.flatMap((change) => {
    if (change.type !== 'ledgerEntryRemoved' || change.removed.type !== 'offer') return []
    const { offerId, sellerId } = change.removed.offer
    return claimed.includes(offerId) || sellerId.equals(source) ? [] : [change.removed.toXdr('hex')]
  })
}

/** Removes these offers and their liabilities from the ledger, and adapts the recorded changes to that start. */
export const withoutOffers = (below: LedgerView, ledger: ClosingLedger, keys: ReadonlyArray<EntryKey>) => {
  const view = draftOn(below, ledger)
  for (const key of keys) {
    const offer = findOffer(view, key)
    if (offer !== undefined) releaseOffer(view, offer)
    removeEntry(view, key)
  }
  const retold = (change: xdr.LedgerEntryChange): ReadonlyArray<xdr.LedgerEntryChange> => {
    if (change.type === 'ledgerEntryRemoved') return keys.includes(change.removed.toXdr('hex')) ? [] : [change]
    const key = keyOf(dataOf(change.value))
    if (change.type !== 'ledgerEntryState' || !view.touched().has(key)) return [change]
    const state = view.find(key)
    return state === undefined ? [] : [xdr.LedgerEntryChange.ledgerEntryState(state)]
  }
  return { view, retell: (changes: Changes) => changes.flatMap(retold) }
}
