import type { xdr } from '@stellar/stellar-sdk'
import type { EntryKey } from '../ledger/entry-keys.ts'

/** The offers that sell one asset for another. */
export type BookKey = string

export const bookOf = (selling: xdr.Asset, buying: xdr.Asset): BookKey =>
  `${selling.toXdr('hex')}/${buying.toXdr('hex')}`

/**
 * An offer's position in its book: lower prices first, then older offers. Like stellar-core, this compares prices as
 * floating-point quotients, so that nearly equal prices count as equal. No amount is computed from it.
 */
export type BookPosition = { readonly price: number; readonly offerId: bigint; readonly key: EntryKey }

/** Finds offers by their assets and by their seller. */
export interface OrderBook {
  /** The first offer of a book, skipping those that a draft above has changed. */
  readonly firstOffer: (book: BookKey, isKnown: (key: EntryKey) => boolean) => BookPosition | undefined
  readonly offersOf: (seller: xdr.PublicKey) => ReadonlyArray<EntryKey>
  /** The assets that offers which sell this one buy. */
  readonly askedFor: (selling: xdr.Asset) => ReadonlyArray<xdr.Asset>
}

/** An order book with changes on top of another. */
export interface BookDraft extends OrderBook {
  readonly put: (key: EntryKey, offer: xdr.OfferEntry) => void
  readonly remove: (key: EntryKey) => void
}

const isBefore = (one: BookPosition, other: BookPosition): boolean =>
  one.price < other.price || (one.price === other.price && one.offerId < other.offerId)

const firstOf = (one: BookPosition | undefined, other: BookPosition | undefined): BookPosition | undefined => {
  if (one === undefined || other === undefined) return one ?? other
  return isBefore(one, other) ? one : other
}

export const noOffers: OrderBook = { firstOffer: () => undefined, offersOf: () => [], askedFor: () => [] }

export const bookOn = (below: OrderBook): BookDraft => {
  const touched = new Map<EntryKey, { book: BookKey; place: BookPosition; offer: xdr.OfferEntry } | undefined>()
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
