import { asText, CurrencyCode, minuteMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { done, refused } from '../../testing/outcomes.ts'
import { book, command, openShop, options } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import type { ProductPatch } from './update.ts'

describe('products', () => {
  let shop: StoreFront
  beforeAll(async () => {
    shop = await openStoreFront()
  })
  afterAll(() => shop.close())
  const newContext = () => command(shop.platform, shop.merchantId)
  const created = (change: object = {}) => done(shop.billing.products.create(newContext(), { ...book(), ...change }))
  const update = (id: string, patch: ProductPatch, context = newContext()) =>
    shop.billing.products.update(context, id, patch)
  const retrieved = (id: string) => done(shop.billing.products.retrieve(shop.scope, id))
  const eventsOf = async (id: string) => (await done(shop.platform.log.readStream(`product-${id}`))).events
  const sell = (id: string) => shop.billing.checkouts.createForProduct(newContext(), id, options())

  it('changes only the given fields of a product', async () => {
    const before = await created({ description: asText('A novel'), metadata: { shelf: 7, row: 'a' } })
    shop.network.wait(minuteMs)
    const after = await done(
      update(before.id, { name: asText('A better book'), description: null, metadata: { shelf: null, page: 1.5 } }),
    )
    expect(after).toEqual({
      ...before,
      name: 'A better book',
      description: null,
      metadata: { row: 'a', page: 1.5 },
      updated_at: expect.any(String),
    })
    expect(Date.parse(after.updated_at) - Date.parse(before.updated_at)).toBeGreaterThanOrEqual(minuteMs)
    expect(await retrieved(before.id)).toEqual(after)
  })

  it('creates a price version for each new price or period and keeps it in the history', async () => {
    const { id } = await created({ type: 'subscription', recurringPeriod: 'month' })
    expect(await done(update(id, { price: { amount: '12.5', amountCents: null } }))).toMatchObject({
      price_amount: 12.5,
      price_amount_cents: 1250,
      recurring_period: 'month',
    })
    await done(update(id, { price: { amount: null, amountCents: '1250' }, recurringPeriod: 'year' }))
    expect((await eventsOf(id)).map(({ type, data }) => [type, data.priceVersion, data.cents])).toEqual([
      ['ProductCreated', undefined, undefined],
      ['ProductRepriced', 2, '1250'],
      ['ProductRepriced', 3, '1250'],
    ])
  })

  it('reads a product’s price in its own currency, by the rules of that currency', async () => {
    const { id } = await created({ currency: decoded(CurrencyCode, 'JPY') })
    const amount = (text: string) => ({ price: { amount: text, amountCents: null } })
    expect(await done(update(id, amount('1000')))).toMatchObject({ price_amount_cents: 100_000, currency_code: 'JPY' })
    expect(await refused(update(id, amount('0.5')))).toEqual({ _tag: 'NotWholeUnits', field: 'amount' })
    expect(await refused(update(id, amount('0')))).toEqual({ _tag: 'NotPositive', field: 'amount' })
    expect(await refused(update(id, { price: { amount: '1000', amountCents: '1000' } }))).toMatchObject({
      _tag: 'AmountsDisagree',
    })
  })

  it('rejects a product change as a whole if part of it is invalid', async () => {
    const { id } = await created()
    const name = asText('Changed')
    expect(await refused(update(id, { name, recurringPeriod: 'month' }))).toEqual({
      _tag: 'RecurringPeriodNotAllowed',
      productType: 'one_time',
    })
    expect((await refused(update(id, { name, assetId: 'DOGE' })))._tag).toBe('AssetNotAccepted')
    expect((await refused(update(id, { name, metadata: [] })))._tag).toBe('MetadataNotAnObject')
    expect((await retrieved(id)).name).toBe('A book')
  })

  it('records nothing if an update changes nothing about a product', async () => {
    const { id, name, asset_id } = await created()
    await done(update(id, { name, assetId: asset_id, price: { amount: '10', amountCents: '1000' }, status: 'active' }))
    await done(update(id, {}))
    expect(await eventsOf(id)).toHaveLength(1)
  })

  it('returns the same product for a repeated change, whatever came since', async () => {
    const [{ id }, context] = [await created(), newContext()]
    const answer = await done(update(id, { name: asText('Second edition') }, context))
    await done(update(id, { name: asText('Third edition') }))
    expect(await done(update(id, { name: asText('Second edition') }, context))).toEqual(answer)
    expect((await retrieved(id)).name).toBe('Third edition')
  })

  it('settles a product in its new asset from the next checkout on', async () => {
    const { id } = await created()
    const before = await done(sell(id))
    await done(update(id, { assetId: 'native' }))
    const after = await done(sell(id))
    const assets = await Promise.all(
      [before, after].map(async (each) => (await done(shop.billing.payer.quote(each.id))).asset_id),
    )
    expect(assets).toEqual([shop.network.usdc.assetId, 'native'])
  })

  it('archives a product once and stops its sale, while an open session goes on', async () => {
    const { id } = await created()
    const session = await done(sell(id))
    expect((await done(shop.billing.products.archive(newContext(), id))).status).toBe('archived')
    await done(shop.billing.products.archive(newContext(), id))
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['ProductCreated', 'ProductArchived'])
    expect(await refused(sell(id))).toEqual({ _tag: 'ProductArchived' })
    await shop.pay(session.id, [units(10)])
    expect((await shop.checkout(session.id)).status).toBe('completed')
    expect((await retrieved(id)).status).toBe('archived')
  })

  it('sells a reactivated product again', async () => {
    const { id } = await created()
    expect((await done(update(id, { status: 'archived' }))).status).toBe('archived')
    expect((await refused(sell(id)))._tag).toBe('ProductArchived')
    expect((await done(update(id, { status: 'active' }))).status).toBe('active')
    expect((await done(sell(id))).status).toBe('open')
  })

  it('finds no product of another merchant and none with an unknown id', async () => {
    const { id } = await created()
    const foreign = command(shop.platform, await openShop(shop.platform))
    expect((await refused(update(id, { name: asText('Mine') }, foreign)))._tag).toBe('ForeignStream')
    expect((await refused(shop.billing.products.archive(foreign, id)))._tag).toBe('ForeignStream')
    const unknown = 'prod_0000000000000000000000'
    const price = { amount: 'x', amountCents: null }
    expect(await refused(update(unknown, { price }))).toEqual({ _tag: 'ProductNotFound' })
    expect(await refused(shop.billing.products.archive(newContext(), unknown))).toEqual({ _tag: 'ProductNotFound' })
  })
})
