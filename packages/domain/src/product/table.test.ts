import { cents } from '../shared/cents.ts'
import { CurrencyCode } from '../shared/currency.ts'
import { noMetadata } from '../shared/metadata.ts'
import { asText } from '../shared/text.ts'
import { count, positiveCount } from '../shared/units.ts'
import { decoded, usdc } from '../testing/examples.ts'
import { type Outcomes, outcomeTable } from '../testing/outcome-table.ts'
import { Product, type ProductCommand, type ProductDetails, type ProductEvent, type ProductState } from './index.ts'

const details: ProductDetails = {
  name: asText('Plan'),
  description: null,
  images: [],
  productType: 'subscription',
  assetId: usdc,
  price: { currency: decoded(CurrencyCode, 'EUR'), cents: cents(1250n) },
  recurringPeriod: 'month',
  trialDays: null,
  unit: null,
  unitsPerCredit: positiveCount(1),
  totalCredits: count(0),
  metadata: noMetadata,
}
const created: ProductEvent = { type: 'ProductCreated', data: details }
const histories: Readonly<Record<ProductState['status'], ReadonlyArray<ProductEvent>>> = {
  absent: [],
  active: [created],
  archived: [created, { type: 'ProductArchived', data: {} }],
}
const commands: ReadonlyArray<ProductCommand> = [
  { type: 'CreateProduct', details },
  { type: 'UpdateProduct', name: asText('Better plan'), cents: cents(1300n), recurringPeriod: 'year' },
  { type: 'ArchiveProduct' },
  { type: 'RestoreProduct' },
]
const expected: Outcomes<ProductState['status'], ProductCommand['type']> = {
  absent: {
    CreateProduct: 'ProductCreated',
    UpdateProduct: 'ProductNotFound',
    ArchiveProduct: 'ProductNotFound',
    RestoreProduct: 'ProductNotFound',
  },
  active: {
    CreateProduct: 'nothing',
    UpdateProduct: 'ProductDetailsChanged, ProductRepriced',
    ArchiveProduct: 'ProductArchived',
    RestoreProduct: 'nothing',
  },
  archived: {
    CreateProduct: 'nothing',
    UpdateProduct: 'ProductDetailsChanged, ProductRepriced',
    ArchiveProduct: 'nothing',
    RestoreProduct: 'ProductRestored',
  },
}

describe('a product of any status', () => {
  it('gives the expected outcome of every command in every status', () =>
    expect(outcomeTable(Product.decider, histories, commands)).toEqual(expected))
})
