import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import { xdr } from '@stellar/stellar-sdk'
import { type BookPosition, bookOf, type OrderBook } from '../exchange/book.ts'
import type { EntryKey } from '../ledger/entry-keys.ts'
import { hexOf } from '../network.ts'
import { bytesIn, integerIn, textIn } from './columns.ts'

/** The order books: each offer's position. */
export interface OfferTable extends OrderBook {
  readonly add: (key: EntryKey, offer: xdr.OfferEntry) => void
  readonly drop: (key: EntryKey) => void
}

const keyIn = (row: SqlRow): EntryKey => hexOf(bytesIn(row, 'key'))

const placeIn = (row: SqlRow): BookPosition => ({
  price: integerIn(row, 'price'),
  offerId: BigInt(integerIn(row, 'offer_id')),
  key: keyIn(row),
})

/** A book's name ends with the asset that its offers buy. */
const boughtIn = (row: SqlRow): xdr.Asset => xdr.Asset.fromXdr(textIn(row, 'book').split('/')[1] ?? '', 'hex')

export const offerTable = (database: SqlDatabase): OfferTable => {
  const insert = database.prepare('INSERT OR REPLACE INTO sandbox_offer VALUES (?, ?, ?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM sandbox_offer WHERE key = ?')
  const inOrder = database.prepare('SELECT * FROM sandbox_offer WHERE book = ? ORDER BY price, offer_id')
  const bySeller = database.prepare('SELECT key FROM sandbox_offer WHERE seller = ? ORDER BY offer_id')
  const books = database.prepare('SELECT DISTINCT book FROM sandbox_offer WHERE selling = ? ORDER BY book')
  return {
    add: (key, { selling, buying, price, offerId, sellerId }) => {
      const id = Number(offerId)
      const book = bookOf(selling, buying)
      insert.run(Buffer.from(key, 'hex'), book, price.n / price.d, id, sellerId.toXdr('hex'), selling.toXdr('hex'))
    },
    drop: (key) => void remove.run(Buffer.from(key, 'hex')),
    firstOffer: (book, isKnown) => {
      for (const row of inOrder.iterate(book)) {
        const place = placeIn(row)
        if (!isKnown(place.key)) return place
      }
      return undefined
    },
    offersOf: (seller) => bySeller.all(seller.toXdr('hex')).map(keyIn),
    askedFor: (selling) => books.all(selling.toXdr('hex')).map(boughtIn),
  }
}
