import { hourMs, minuteMs } from '@quittance/domain'
import { done, refused } from '../../testing/outcomes.ts'
import { command, options } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

describe('checkout quotes', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront()
  })
  afterEach(() => shop.close())
  const quote = (id: string) => done(shop.billing.payer.quote(id))
  const xlm = () => shop.network.xlm.assetId

  it('shows a quote again while it is valid, and renews it once it is stale', async () => {
    const { id } = await shop.sell(xlm())
    const first = await quote(id)
    expect(first).toMatchObject({
      amount: '40',
      amount_due: '40',
      memo: await shop.memoOf(id),
      destination: shop.account,
    })
    shop.network.rates.percent = 95
    expect(await quote(id)).toEqual(first)
    shop.network.wait(5 * minuteMs)
    const second = await quote(id)
    expect(second.amount).toBe('42.1052632')
    expect(second.rates).toHaveLength(2)
  })

  it('keeps a quote valid for fifteen minutes for a pegged asset', async () => {
    const { id } = await shop.sell()
    const { valid_until } = await quote(id)
    expect(Date.parse(valid_until ?? '') - shop.network.now()).toBe(15 * minuteMs)
  })

  it('judges a payment by the lowest quote that was valid within the last two minutes', async () => {
    const { id } = await shop.sell(xlm())
    await quote(id)
    shop.network.rates.percent = 95
    shop.network.wait(5 * minuteMs)
    await quote(id)
    shop.network.wait(minuteMs)
    await shop.pay(id, [units(40)], { asset: xlm() })
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
    expect(await shop.payment(id)).toMatchObject({ amount: '40 XLM' })
  })

  it('obtains a quote for the time of the ledger when no quote can judge a payment', async () => {
    const { id } = await shop.sell(xlm())
    await shop.pay(id, [units(39)], { asset: xlm() })
    expect(await shop.checkout(id)).toMatchObject({ status: 'open' })
    expect(await quote(id)).toMatchObject({ amount: '40', amount_received: '39', amount_due: '1' })
  })

  it('issues no quote while no rate is known, but keeps issued quotes', async () => {
    const [quoted, fresh] = [await shop.sell(xlm()), await shop.sell(xlm())]
    const issued = await quote(quoted.id)
    shop.network.rates.isOut = true
    expect(await quote(quoted.id)).toEqual(issued)
    expect(await refused(shop.billing.payer.quote(fresh.id))).toMatchObject({ _tag: 'RateUnavailable' })
    expect(await done(shop.billing.payer.page(fresh.id))).toMatchObject({ status: 'open', quote: null })
    const dueOf = async ({ id }: { readonly id: string }) => (await shop.checkout(id)).amount_due
    expect([await dueOf(quoted), await dueOf(fresh), (await shop.sell(xlm())).amount_due]).toEqual(['40', null, null])
  })

  it('shows what a checkout costs at the rates of the moment until it is quoted, and nothing after the deadline', async () => {
    const session = await shop.sell(xlm())
    const due = async () => (await shop.checkout(session.id)).amount_due
    expect([session.amount_due, await due()]).toEqual(['40', '40'])
    shop.network.rates.percent = 95
    const now = await due()
    expect(now).not.toBe('40')
    expect((await quote(session.id)).amount_due).toBe(now)
    shop.network.wait(24 * hourMs)
    expect(await due()).toBeNull()
  })

  it('asks for no more money after the deadline, even before the session has ended', async () => {
    const { id } = await shop.sell(xlm())
    await quote(id)
    shop.network.wait(24 * hourMs)
    expect(await quote(id)).toMatchObject({ status: 'open', amount: '40', amount_due: '0', sep7_uri: null })
    expect(await refused(shop.billing.payer.transaction(id, shop.payer.account))).toMatchObject({
      _tag: 'DeadlinePassed',
    })
    await shop.step()
    expect(await refused(shop.billing.payer.transaction(id, shop.payer.account))).toEqual({
      _tag: 'CheckoutNotOpen',
      status: 'expired',
    })
  })

  it('needs no rate when the price is stated in the asset', async () => {
    shop.network.rates.isOut = true
    const context = command(shop.platform, shop.merchantId)
    const price = { amount: '12.5', amountCents: null }
    const { id } = await done(shop.billing.checkouts.createDirect(context, price, 'xlm', options()))
    expect(await quote(id)).toMatchObject({ amount: '12.5', asset_id: 'native', rates: [] })
    await shop.pay(id, [units(12.5)], { asset: xlm() })
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed', amount: 12.5, currency_code: 'XLM' })
  })
})
