import { cents } from '../shared/cents.ts'
import { CurrencyCode } from '../shared/currency.ts'
import { MetadataText, noMetadata } from '../shared/metadata.ts'
import { asText } from '../shared/text.ts'
import { count, positiveCount } from '../shared/units.ts'
import { decoded, eurc, usdc } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Product, type ProductCommand, type ProductDetails, type ProductEvent } from './index.ts'

const { given } = scenario(Product.decider)
const book: ProductDetails = {
  name: asText('Book'),
  description: null,
  images: [],
  productType: 'one_time',
  assetId: usdc,
  price: { currency: decoded(CurrencyCode, 'EUR'), cents: cents(1250n) },
  recurringPeriod: null,
  trialDays: null,
  unit: null,
  unitsPerCredit: positiveCount(1),
  totalCredits: count(0),
  metadata: noMetadata,
}
const plan: ProductDetails = { ...book, productType: 'subscription', recurringPeriod: 'month' }
const created: ProductEvent = { type: 'ProductCreated', data: book }
const planCreated: ProductEvent = { type: 'ProductCreated', data: plan }
const archived: ProductEvent = { type: 'ProductArchived', data: {} }
const restored: ProductEvent = { type: 'ProductRestored', data: {} }

describe('creating a product', () => {
  it('records its details', () => given([]).when({ type: 'CreateProduct', details: book }).then([created]))
  it('records nothing when repeated', () => given([created]).when({ type: 'CreateProduct', details: book }).then([]))
  it('is rejected for an id that has other details', () =>
    given([created]).when({ type: 'CreateProduct', details: plan }).rejects({ _tag: 'ProductAlreadyExists' }))
  it('takes a metered product with credits', () => {
    const metered: ProductDetails = { ...book, productType: 'metered', unit: asText('call'), totalCredits: count(100) }
    given([])
      .when({ type: 'CreateProduct', details: metered })
      .then([{ type: 'ProductCreated', data: metered }])
  })
  it('is rejected without a price', () =>
    given([])
      .when({ type: 'CreateProduct', details: { ...book, price: { ...book.price, cents: cents(0n) } } })
      .rejects({ _tag: 'PriceNotPositive' }))
  it('is rejected for a subscription without a period', () =>
    given([])
      .when({ type: 'CreateProduct', details: { ...plan, recurringPeriod: null } })
      .rejects({ _tag: 'RecurringPeriodMissing' }))
  it.each(['one_time', 'metered'] as const)('is rejected with a period on a %s product', (productType) =>
    given([])
      .when({ type: 'CreateProduct', details: { ...plan, productType } })
      .rejects({ _tag: 'RecurringPeriodNotAllowed', productType }),
  )
  it.each(['one_time', 'metered'] as const)('is rejected with a trial on a %s product', (productType) =>
    given([])
      .when({ type: 'CreateProduct', details: { ...book, productType, trialDays: count(1) } })
      .rejects({ _tag: 'TrialNotAllowed', productType }),
  )
  it('accepts a trial of zero days on a product of any type', () => {
    const details = { ...book, trialDays: count(0) }
    given([])
      .when({ type: 'CreateProduct', details })
      .then([{ type: 'ProductCreated', data: details }])
  })
  it('takes a trial of 730 days', () => {
    const details = { ...plan, trialDays: count(730) }
    given([])
      .when({ type: 'CreateProduct', details })
      .then([{ type: 'ProductCreated', data: details }])
  })
  it('is rejected with a trial of 731 days', () =>
    given([])
      .when({ type: 'CreateProduct', details: { ...plan, trialDays: count(731) } })
      .rejects({ _tag: 'TrialTooLong', maximumDays: 730 }))
})

describe('updating a product', () => {
  it('records only what changed', () =>
    given([created])
      .when({ type: 'UpdateProduct', name: asText('Book'), description: asText('A novel'), assetId: eurc })
      .then([{ type: 'ProductDetailsChanged', data: { description: asText('A novel'), assetId: eurc } }]))
  it('can take the description away', () =>
    given([{ type: 'ProductCreated', data: { ...book, description: asText('A novel') } }])
      .when({ type: 'UpdateProduct', description: null })
      .then([{ type: 'ProductDetailsChanged', data: { description: null } }]))
  it('replaces the images', () =>
    given([created])
      .when({ type: 'UpdateProduct', images: [asText('https://example.org/a.png')] })
      .then([{ type: 'ProductDetailsChanged', data: { images: [asText('https://example.org/a.png')] } }]))
  it('merges metadata, and null removes a key', () =>
    given([{ type: 'ProductCreated', data: { ...book, metadata: decoded(MetadataText, '{"a":1,"b":2}') } }])
      .when({ type: 'UpdateProduct', metadata: { a: null, ratio: 1.5 } })
      .then([{ type: 'ProductDetailsChanged', data: { metadata: decoded(MetadataText, '{"b":2,"ratio":1.5}') } }]))
  it('records whether several subscriptions of a customer are allowed, which they are not at first', () => {
    const allowed: ProductEvent = { type: 'ProductDetailsChanged', data: { allowsMultipleSubscriptions: true } }
    const update = { type: 'UpdateProduct' as const }
    given([planCreated])
      .when({ ...update, allowsMultipleSubscriptions: false })
      .then([])
    given([planCreated])
      .when({ ...update, allowsMultipleSubscriptions: true })
      .then([allowed])
    given([planCreated, allowed])
      .when({ ...update, allowsMultipleSubscriptions: false })
      .then([{ type: 'ProductDetailsChanged', data: { allowsMultipleSubscriptions: false } }])
  })
  it('is rejected with metadata that is no object', () =>
    given([created])
      .when({ type: 'UpdateProduct', metadata: [1] })
      .rejects({ _tag: 'MetadataNotAnObject' }))
  it('makes a new price version of a new price', () =>
    given([created])
      .when({ type: 'UpdateProduct', cents: cents(1300n) })
      .then([
        {
          type: 'ProductRepriced',
          data: { priceVersion: positiveCount(2), cents: cents(1300n), recurringPeriod: null },
        },
      ]))
  it('makes a new price version of a new period, and counts on', () =>
    given([
      planCreated,
      {
        type: 'ProductRepriced',
        data: { priceVersion: positiveCount(2), cents: cents(1300n), recurringPeriod: 'month' },
      },
    ])
      .when({ type: 'UpdateProduct', recurringPeriod: 'year' })
      .then([
        {
          type: 'ProductRepriced',
          data: { priceVersion: positiveCount(3), cents: cents(1300n), recurringPeriod: 'year' },
        },
      ]))
  it('records details, price and status in this order', () =>
    given([created])
      .when({ type: 'UpdateProduct', name: asText('Old book'), cents: cents(1n), status: 'archived' })
      .then([
        { type: 'ProductDetailsChanged', data: { name: asText('Old book') } },
        { type: 'ProductRepriced', data: { priceVersion: positiveCount(2), cents: cents(1n), recurringPeriod: null } },
        archived,
      ]))
  it('records nothing when nothing changed', () =>
    given([planCreated])
      .when({
        type: 'UpdateProduct',
        name: plan.name,
        images: [],
        metadata: {},
        cents: plan.price.cents,
        recurringPeriod: 'month',
        status: 'active',
      })
      .then([]))
  it('is rejected with a period on another type', () =>
    given([created])
      .when({ type: 'UpdateProduct', recurringPeriod: 'month' })
      .rejects({ _tag: 'RecurringPeriodNotAllowed', productType: 'one_time' }))
  it('takes a price in its own currency', () =>
    given([created]).when({ type: 'UpdateProduct', cents: book.price.cents, currency: book.price.currency }).then([]))
  it('is rejected with another currency, whatever else changes', () =>
    given([created])
      .when({ type: 'UpdateProduct', cents: cents(100_000n), currency: decoded(CurrencyCode, 'JPY') })
      .rejects({ _tag: 'CurrencyIsFixed', currency: book.price.currency }))
  it('is rejected with a price of nothing', () =>
    given([created])
      .when({ type: 'UpdateProduct', cents: cents(0n) })
      .rejects({ _tag: 'PriceNotPositive' }))
  it('is possible while archived', () =>
    given([created, archived])
      .when({ type: 'UpdateProduct', name: asText('Old book') })
      .then([{ type: 'ProductDetailsChanged', data: { name: asText('Old book') } }]))
})

describe('archiving and restoring a product', () => {
  it('archives', () => given([created]).when({ type: 'ArchiveProduct' }).then([archived]))
  it('archives once', () => given([created, archived]).when({ type: 'ArchiveProduct' }).then([]))
  it('restores', () => given([created, archived]).when({ type: 'RestoreProduct' }).then([restored]))
  it('restores once', () => given([created]).when({ type: 'RestoreProduct' }).then([]))
  it('restores by an update', () =>
    given([created, archived]).when({ type: 'UpdateProduct', status: 'active' }).then([restored]))
})

describe('a product that does not exist', () => {
  it.each<ProductCommand>([
    { type: 'UpdateProduct', name: asText('Book') },
    { type: 'ArchiveProduct' },
    { type: 'RestoreProduct' },
  ])('rejects $type for an unknown product', (command) => given([]).when(command).rejects({ _tag: 'ProductNotFound' }))
})
