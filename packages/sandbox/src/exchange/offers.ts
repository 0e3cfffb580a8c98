import { xdr } from '@stellar/stellar-sdk'
import type { LedgerDraft, LedgerView } from '../ledger/draft.ts'
import { type EntryKey, offerKey } from '../ledger/entry-keys.ts'
import { bind, requireHolding } from '../ledger/holdings.ts'
import { removeEntry } from '../ledger/sponsorship.ts'
import { liabilitiesAt, type Price } from './arithmetic.ts'

export const passiveFlag = 1

export const priceOf = ({ n, d }: xdr.Price): Price => ({ n: BigInt(n), d: BigInt(d) })

export const findOffer = (view: LedgerView, key: EntryKey): xdr.OfferEntry | undefined => {
  const data = view.find(key)?.data
  return data?.type === 'offer' ? data.offer : undefined
}

/** Locks the offer's liabilities in its owner's holdings (`sign` 1n), or releases them (-1n). */
const bindFor = (draft: LedgerDraft, offer: xdr.OfferEntry, sign: bigint): void => {
  const { sellerId, selling, buying, price, amount } = offer
  const liabilities = liabilitiesAt(priceOf(price), { offerSells: amount })
  bind(draft, requireHolding(draft, sellerId, buying), { buying: sign * liabilities.buying })
  bind(draft, requireHolding(draft, sellerId, selling), { selling: sign * liabilities.selling })
}

export const releaseOffer = (draft: LedgerDraft, offer: xdr.OfferEntry): void => bindFor(draft, offer, -1n)

/** Writes an offer whose liabilities are not locked yet; removes one with amount zero. */
export const settleOffer = (draft: LedgerDraft, offer: xdr.OfferEntry): void => {
  if (offer.amount === 0n) {
    removeEntry(draft, offerKey(offer.sellerId, offer.offerId))
    return
  }
  draft.put(xdr.LedgerEntryData.offer(offer))
  bindFor(draft, offer, 1n)
}

/** Removes an account's offers in an asset whose issuer has revoked authorization. */
export const removeOffersIn = (draft: LedgerDraft, accountId: xdr.PublicKey, asset: xdr.Asset): void => {
  for (const key of draft.offersOf(accountId)) {
    const offer = findOffer(draft, key)
    if (offer === undefined || !(offer.selling.equals(asset) || offer.buying.equals(asset))) continue
    releaseOffer(draft, offer)
    removeEntry(draft, key)
  }
}
