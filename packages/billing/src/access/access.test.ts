import { asText, count, type PositiveCount, positiveCount, type UnixMs, unixMs } from '@quittance/domain'
import { meteredShop } from '../testing/metered.ts'
import { done, refused } from '../testing/outcomes.ts'
import { book, command } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'

describe('access to a product', () => {
  let front: StoreFront
  let shop: ReturnType<typeof meteredShop>
  beforeAll(async () => {
    front = await openStoreFront()
    shop = meteredShop(front)
  })
  afterAll(() => front.close())

  const now = () => command(front.platform, front.merchantId)
  const access = (customerId: string, productId: string, at?: UnixMs) =>
    done(front.billing.access(front.scope, customerId, productId, at))
  const none = { has_access: false, grant: null, expires_at: null }
  const by = (paymentId: string) => ({
    has_access: true,
    grant: { type: 'one_time', payment_id: paymentId },
    expires_at: null,
  })
  const confirmedAt = async (paymentId: string): Promise<UnixMs> => {
    const { confirmed_at } = await done(front.billing.payments.retrieve(front.scope, paymentId))
    return unixMs(Date.parse(confirmed_at ?? ''))
  }
  const before = (at: UnixMs) => unixMs(at - 1)
  const consume = async (customerId: string, productId: string, wanted: PositiveCount): Promise<UnixMs> => {
    front.network.wait(5000)
    const context = now()
    await done(front.billing.credits.consume(context, { customerId, productId }, { units: wanted, metadata: null }))
    return context.at
  }
  const bookFor = async () =>
    (await done(front.billing.products.create(now(), { ...book(front.network.usdc.assetId), name: asText('Once') }))).id

  it('grants access by a one-time payment from the moment of its confirmation', async () => {
    const [customerId, productId] = [await shop.customer(), await bookFor()]
    expect(await access(customerId, productId)).toEqual(none)
    front.network.wait(5000)
    const paymentId = await shop.buy(customerId, productId)
    const since = await confirmedAt(paymentId)
    expect(await access(customerId, productId)).toEqual(by(paymentId))
    expect(await access(customerId, productId, before(since))).toEqual(none)
    expect(await access(customerId, productId, since)).toEqual(by(paymentId))
    expect(await access(customerId, productId, unixMs(0))).toEqual(none)
    expect(await access(customerId, productId, unixMs(8_640_000_000_000_000))).toEqual(by(paymentId))
  })

  it('grants access by what a customer paid who is merged into the one that was asked for before', async () => {
    const [from, into, productId] = [await shop.customer(), await shop.customer(), await bookFor()]
    const paymentId = await shop.buy(from, productId)
    expect(await access(into, productId)).toEqual(none)
    const decision = { from, into, by: asText('Ada'), reason: asText('the same person') }
    await done(front.billing.customers.merge(now(), decision))
    expect(await access(into, productId)).toEqual(by(paymentId))
  })

  it('grants access by the first of two payments', async () => {
    const [customerId, productId] = [await shop.customer(), await bookFor()]
    const first = await shop.buy(customerId, productId)
    front.network.wait(5000)
    await shop.buy(customerId, productId)
    expect(await access(customerId, productId)).toEqual(by(first))
  })

  it('grants access to a metered product from the grant to the last unit, and again from the next purchase', async () => {
    const [customerId, productId] = [await shop.customer(), await shop.product({ credits: 2, perCredit: 10 })]
    const first = await shop.buy(customerId, productId)
    const granted = await confirmedAt(first)
    await consume(customerId, productId, positiveCount(19))
    expect(await access(customerId, productId)).toEqual(by(first))
    const ended = await consume(customerId, productId, positiveCount(1))
    expect(await access(customerId, productId)).toEqual(none)
    front.network.wait(5000)
    const second = await shop.buy(customerId, productId)
    const again = await confirmedAt(second)

    const answers = [before(granted), granted, before(ended), ended, before(again), again]
    const expected = [none, by(first), by(first), none, none, by(second)]
    for (const [index, at] of answers.entries()) {
      expect(await access(customerId, productId, at)).toEqual(expected[index])
    }
    expect(await access(customerId, productId)).toEqual(by(second))
  })

  it('grants access to a metered product by the payment whose credits are consumed next', async () => {
    const [customerId, productId] = [await shop.customer(), await shop.product({ credits: 1, perCredit: 10 })]
    const first = await shop.buy(customerId, productId)
    const second = await shop.buy(customerId, productId)
    await consume(customerId, productId, positiveCount(9))
    expect(await access(customerId, productId)).toEqual(by(first))
    await consume(customerId, productId, positiveCount(1))
    expect(await access(customerId, productId)).toEqual(by(second))
  })

  it('grants no access to a metered product without credits', async () => {
    const metered = { ...book(front.network.usdc.assetId), type: 'metered' as const, totalCredits: count(0) }
    const { id: productId } = await done(front.billing.products.create(now(), metered))
    const customerId = await shop.customer()
    await shop.buy(customerId, productId)
    expect(await access(customerId, productId)).toEqual(none)
  })

  it('refuses to report access for a customer or product that is unknown, deleted, or in another environment', async () => {
    const [customerId, productId] = [await shop.customer(), await bookFor()]
    await shop.buy(customerId, productId)
    const { access: ask } = front.billing
    const elsewhere = { ...front.scope, environment: 'mainnet' as const }
    expect(await refused(ask(front.scope, 'cus_none', productId))).toEqual({ _tag: 'CustomerNotFound' })
    expect(await refused(ask(front.scope, customerId, 'prod_none'))).toEqual({ _tag: 'ProductNotFound' })
    expect(await refused(ask(elsewhere, customerId, productId))).toEqual({ _tag: 'CustomerNotFound' })
    const at = now().at
    await done(front.billing.customers.remove(now(), customerId))
    expect(await refused(ask(front.scope, customerId, productId, at))).toEqual({ _tag: 'CustomerNotFound' })
  })
})
