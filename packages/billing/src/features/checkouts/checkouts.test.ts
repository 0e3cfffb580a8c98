import { CheckoutId, count } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import { done, present, refused } from '../../testing/outcomes.ts'
import { book, command, openShop, options, someone } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

describe('checkouts', () => {
  let shop: StoreFront
  beforeAll(async () => {
    shop = await openStoreFront()
  })
  afterAll(() => shop.close())
  const newContext = (merchantId: string = shop.merchantId) => command(shop.platform, merchantId)
  const newProduct = async () => (await done(shop.billing.products.create(newContext(), book()))).id
  const forProduct = (productId: string, context = newContext()) =>
    shop.billing.checkouts.createForProduct(context, productId, options())
  const direct = (amount: string, code: string) =>
    shop.billing.checkouts.createDirect(newContext(), { amount, amountCents: null }, code, options())
  const archive = (productId: string) => done(shop.billing.products.archive(newContext(), productId))

  it('sells a product at its price in its asset', async () => {
    const productId = await newProduct()
    const session = await done(forProduct(productId))
    expect(session).toMatchObject({
      object: 'checkout',
      status: 'open',
      product_id: productId,
      amount: null,
      currency_code: null,
      payment_url: `http://pay.test/pay/${session.id}`,
      completed_at: null,
      payment_id: null,
    })
    expect(Buffer.byteLength(session.id)).toBeLessThanOrEqual(28)
    expect(await done(shop.billing.checkouts.retrieve(shop.scope, session.id))).toEqual(session)
    expect((await shop.billing.checkouts.list({ ...shop.scope, limit: 1 })()).resources).toEqual([session])
  })

  it.each([
    ['usd', '12.5', { amount: 12.5, amount_cents: 1250, currency_code: 'USD' }],
    ['EURC', '0.0000001', { amount: 0.0000001, amount_cents: 0.00001, currency_code: 'EURC' }],
    [
      'USDC',
      '547691225.0508254',
      { amount: 547691225.0508254, amount_cents: 54769122505.08254, currency_code: 'USDC' },
    ],
  ])('accepts an amount of a currency or of an accepted asset: %s', async (code, amount, shown) => {
    expect(await done(direct(amount, code))).toMatchObject({ product_id: null, ...shown })
  })

  it('refuses checkouts for what cannot be sold', async () => {
    const productId = await newProduct()
    await archive(productId)
    expect(await refused(forProduct(productId))).toEqual({ _tag: 'ProductArchived' })
    expect(await refused(forProduct('prod_0000000000000000000000'))).toEqual({ _tag: 'ProductNotFound' })
    expect((await refused(direct('1', 'DOGE')))._tag).toBe('AssetNotAccepted')
    expect((await refused(direct('0', 'USD')))._tag).toBe('NotPositive')
    const monthly = { ...book(), type: 'subscription' as const, recurringPeriod: 'month' as const }
    const subscription = await done(shop.billing.products.create(newContext(), monthly))
    const withTrial = (id: string, days: number) =>
      shop.billing.checkouts.createForProduct(newContext(), id, { ...options(), trialDays: count(days) })
    expect(await refused(withTrial(subscription.id, 731))).toEqual({ _tag: 'TrialTooLong', maximumDays: 730 })
    const single = await newProduct()
    expect(await refused(withTrial(single, 14))).toEqual({ _tag: 'TrialNotAllowed', productType: 'one_time' })
    expect((await done(withTrial(single, 0))).status).toBe('open')
    const context = command(shop.platform, shop.merchantId, { environment: 'mainnet' })
    expect(await refused(shop.billing.products.create(context, book()))).toMatchObject({ _tag: 'MerchantNotReady' })
  })

  it('answers a repeated request with the same checkout, although the product is archived meanwhile', async () => {
    const [productId, context] = [await newProduct(), newContext()]
    const session = await done(forProduct(productId, context))
    await archive(productId)
    expect(await done(forProduct(productId, context))).toEqual(session)
  })

  it('does not find checkouts of another merchant', async () => {
    const second = await openShop(shop.platform)
    const { id } = await done(direct('1', 'USD'))
    const foreign = { merchantId: second, environment: 'testnet' as const }
    expect(await refused(shop.billing.checkouts.retrieve(foreign, id))).toEqual({ _tag: 'CheckoutNotFound' })
    expect((await refused(shop.billing.checkouts.expire(newContext(second), id)))._tag).toBe('ForeignStream')
    expect((await shop.billing.checkouts.list({ ...foreign, limit: 10 })()).resources).toEqual([])
    const unknown = exampleId(CheckoutId, 1)
    expect(await refused(shop.billing.checkouts.expire(newContext(), unknown))).toEqual({ _tag: 'CheckoutNotFound' })
  })

  it('accepts a customer from the payer while the checkout has no customer and no payment', async () => {
    const { attachCustomer } = shop.billing.payer
    const ada = { email: 'ada@example.org', name: 'Ada', phone: null }
    const { id } = await done(direct('1', 'USDC'))
    expect(await done(attachCustomer(id, ada))).toEqual({ checkout_id: id })
    const { customer_id } = await shop.checkout(id)
    expect(await done(shop.billing.customers.retrieve(shop.scope, present(customer_id)))).toMatchObject(ada)
    expect((await refused(attachCustomer(id, ada)))._tag).toBe('CustomerAlreadyAttached')

    const begun = await done(direct('1', 'USDC'))
    await shop.pay(begun.id, [units(0.5)])
    expect((await refused(attachCustomer(begun.id, ada)))._tag).toBe('PaymentAlreadyBegun')
    const ended = await done(direct('1', 'USDC'))
    await done(shop.billing.checkouts.expire(newContext(), ended.id))
    const nobody = { ...ada, email: 'nobody@example.org' }
    expect(await refused(attachCustomer(ended.id, nobody))).toEqual({ _tag: 'CheckoutNotOpen', status: 'expired' })
    const emails = (await shop.billing.customers.list({ ...shop.scope, limit: 10 })()).resources.map(
      ({ email }) => email,
    )
    expect(emails).toEqual(['ada@example.org'])
  })

  it('shows a payer the status of the checkout, and no personal data', async () => {
    const wanted = { id: null, email: 'grace@example.org', phone: '+15550142' }
    const session = await shop.sell(undefined, wanted)
    const { page, status, quote } = shop.billing.payer
    const views = [await done(page(session.id)), await done(status(session.id)), await done(quote(session.id))]
    expect(views[0]).toMatchObject({ merchantName: 'A Shop', productName: 'A book', status: 'open' })
    expect(views[1]).toMatchObject({ checkout_id: session.id, status: 'open', amount_received: '0' })
    for (const text of [wanted.email, wanted.phone, present(session.customer_id)])
      expect(JSON.stringify(views)).not.toContain(text)
    await shop.pay(session.id, [units(10)])
    expect(await done(status(session.id))).toMatchObject({
      status: 'completed',
      amount_received: '10',
      amount_due: null,
      transaction_hash: (await shop.payment(session.id)).transaction_hash,
    })
    expect((await refused(page('chk_0000000000000000000000')))._tag).toBe('CheckoutNotFound')
  })

  it('refuses to report access of unknown or deleted customers, or those of another merchant', async () => {
    const { access, customers } = shop.billing
    const [customer] = await done(customers.createAll(newContext(), [someone('alan@example.org')]))
    const [customerId, productId] = [present(customer).id, await newProduct()]
    const none = { has_access: false, grant: null, expires_at: null }
    expect(await done(access(shop.scope, customerId, productId))).toEqual(none)
    expect((await refused(access(shop.scope, customerId, 'prod_unknown')))._tag).toBe('ProductNotFound')
    expect((await refused(access(shop.scope, 'cus_unknown', productId)))._tag).toBe('CustomerNotFound')
    const foreign = { merchantId: await openShop(shop.platform), environment: 'testnet' as const }
    expect((await refused(access(foreign, customerId, productId)))._tag).toBe('CustomerNotFound')
    await done(customers.remove(newContext(), customerId))
    expect((await refused(access(shop.scope, customerId, productId)))._tag).toBe('CustomerNotFound')
  })

  it('keeps the price that the product had when the checkout was created', async () => {
    const productId = await newProduct()
    const { id } = await done(forProduct(productId))
    await done(shop.billing.products.update(newContext(), productId, { price: { amount: '99', amountCents: null } }))
    await shop.pay(id, [units(10)])
    expect((await shop.checkout(id)).status).toBe('completed')
  })
})
