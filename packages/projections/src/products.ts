import {
  PositiveCount,
  Product,
  ProductDetails,
  ProductId,
  positiveCount,
  type RecordedEvent,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** A product as it stands; its price is that of the newest price version. */
export const ProductRow = t.strict({
  details: ProductDetails,
  priceVersion: PositiveCount,
  status: t.keyof({ active: null, archived: null }),
  createdAt: UnixMs,
  updatedAt: UnixMs,
})
export type ProductRow = t.TypeOf<typeof ProductRow>

const decode = decodedBy(Product)

const fold = (row: O.Option<ProductRow>, recorded: RecordedEvent): O.Option<ProductRow> => {
  const at = unixMs(recorded.metadata.occurredAt)
  const event = decode(recorded)
  const patch = (change: (row: ProductRow) => Partial<ProductRow>) =>
    O.map((known: ProductRow) => ({ ...known, ...change(known), updatedAt: at }))(row)
  switch (event.type) {
    case 'ProductCreated':
      return O.some({
        details: event.data,
        priceVersion: positiveCount(1),
        status: 'active',
        createdAt: at,
        updatedAt: at,
      })
    case 'ProductDetailsChanged':
      return patch(({ details }) => ({ details: { ...details, ...event.data } }))
    case 'ProductRepriced': {
      const { cents, priceVersion, recurringPeriod } = event.data
      return patch(({ details }) => ({
        details: { ...details, recurringPeriod, price: { ...details.price, cents } },
        priceVersion,
      }))
    }
    case 'ProductArchived':
      return patch(() => ({ status: 'archived' }))
    case 'ProductRestored':
      return patch(() => ({ status: 'active' }))
  }
}

export const products: ReadModel<ProductRow> = {
  name: 'products',
  version: 2,
  category: Product.category,
  ids: ProductId,
  row: ProductRow,
  fold,
  columns: ({ status }) => ({ status }),
}
