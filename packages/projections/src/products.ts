import { Product, ProductId, ProductRecord } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

export type ProductRow = StateRow<ProductRecord>

export const products = stateModel({
  name: 'products',
  version: 3,
  aggregate: Product,
  record: ProductRecord,
  ids: ProductId,
  columns: ({ status }) => ({ status }),
})
