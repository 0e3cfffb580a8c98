import { Product, ProductId, ProductRecord } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/** A product as its row holds it, with when it was made and last changed. */
export type ProductRow = StateRow<ProductRecord>

/** The read model of products. */
export const products = stateModel({
  name: 'products',
  version: 3,
  aggregate: Product,
  record: ProductRecord,
  ids: ProductId,
  columns: ({ status }) => ({ status }),
})
