import { xdr } from '@stellar/stellar-sdk'
import { findOffer, releaseOffer } from '../exchange/offers.ts'
import { type ClosingLedger, draftOn, type LedgerView } from '../ledger/draft.ts'
import { dataOf, type EntryKey, keyOf } from '../ledger/entry-keys.ts'
import { removeEntry } from '../ledger/sponsorship.ts'
import { claimedOffers, claimsIn } from './claims.ts'

type Changes = ReadonlyArray<xdr.LedgerEntryChange>

/**
 * The offers that validators have frozen (CAP-77), which is not part of this ledger. Core throws them out of the book
 * when it comes across them: what an exchange has removed, though its source has not claimed it and does not own it.
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

/**
 * The ledger without these offers, which bind nothing any longer, and how recorded changes read when they start there:
 * without those offers, and with the state that their owners' holdings have now.
 */
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
