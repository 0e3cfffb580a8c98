import type { xdr } from '@stellar/stellar-sdk'
import type { EntryKey } from '../ledger/entry-keys.ts'

/** The offers that sell one asset for another. */
export type BookKey = string

export const bookOf = (selling: xdr.Asset, buying: xdr.Asset): BookKey =>
  `${selling.toXdr('hex')}/${buying.toXdr('hex')}`

/**
 * Where an offer stands in its book: the lower price first, then the older offer. Like stellar-core, this compares
 * prices as floating-point quotients, so that two which differ by less count as equal. Nothing is computed from it.
 */
export type BookPlace = { readonly price: number; readonly offerId: bigint; readonly key: EntryKey }

/** Finds offers by what they trade and by who made them. */
export interface OrderBook {
  /** The first offer of a book but for those that whoever asks knows better about. */
  readonly firstOffer: (book: BookKey, isKnown: (key: EntryKey) => boolean) => BookPlace | undefined
  readonly offersOf: (seller: xdr.PublicKey) => ReadonlyArray<EntryKey>
  /** What is asked for an asset: the assets that offers which sell it buy. */
  readonly askedFor: (selling: xdr.Asset) => ReadonlyArray<xdr.Asset>
}

/** An order book with changes on top of another. */
export interface BookDraft extends OrderBook {
  readonly put: (key: EntryKey, offer: xdr.OfferEntry) => void
  readonly remove: (key: EntryKey) => void
}

const isBefore = (one: BookPlace, other: BookPlace): boolean =>
  one.price < other.price || (one.price === other.price && one.offerId < other.offerId)

const firstOf = (one: BookPlace | undefined, other: BookPlace | undefined): BookPlace | undefined => {
  if (one === undefined || other === undefined) return one ?? other
  return isBefore(one, other) ? one : other
}

export const noOffers: OrderBook = { firstOffer: () => undefined, offersOf: () => [], askedFor: () => [] }

export const bookOn = (below: OrderBook): BookDraft => {
  const touched = new Map<EntryKey, { book: BookKey; place: BookPlace; offer: xdr.OfferEntry } | undefined>()
  const standing = () => [...touched.values()].filter((each) => each !== undefined)
  return {
    put: (key, offer) => {
      const { offerId, price, selling, buying } = offer
      const place = { price: price.n / price.d, offerId, key }
      touched.set(key, { book: bookOf(selling, buying), place, offer })
    },
    remove: (key) => void touched.set(key, undefined),
    firstOffer: (book, isKnown) => {
      let first = below.firstOffer(book, (key) => touched.has(key) || isKnown(key))
      for (const [key, each] of touched) if (each?.book === book && !isKnown(key)) first = firstOf(first, each.place)
      return first
    },
    offersOf: (seller) => [
      ...below.offersOf(seller).filter((key) => !touched.has(key)),
      ...standing().flatMap(({ offer, place }) => (offer.sellerId.equals(seller) ? [place.key] : [])),
    ],
    askedFor: (selling) => {
      const own = standing().flatMap(({ offer }) => (offer.selling.equals(selling) ? [offer.buying] : []))
      const all = [...below.askedFor(selling), ...own]
      return all.filter((asset, at) => all.findIndex((each) => each.equals(asset)) === at)
    },
  }
}
