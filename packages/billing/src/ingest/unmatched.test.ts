import { stroops } from '@quittance/domain'
import { done } from '../testing/outcomes.ts'
import { openShop } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'

describe('money without a sale', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront()
  })
  afterEach(() => shop.close())

  it.each([
    ['without a memo', null],
    ['with a memo that is no id', 'thank you'],
    ['with the id of a checkout that does not exist', 'chk_0000000000000000000000'],
    ['with the reference of nothing', 'q_0000000000000000000000'],
  ])('records an exception for money %s', async (_, memo) => {
    const { id } = await shop.sell()
    const sending = { to: shop.account, asset: shop.network.usdc.assetId, parts: [units(10)], memo }
    const transactionHash = shop.payer.pay(sending)
    await shop.step()
    expect(await shop.checkout(id)).toMatchObject({ status: 'open' })
    expect(await shop.exceptions()).toMatchObject([
      { kind: 'unmatched', amount: units(10), transactionHash, from: shop.payer.account, checkoutId: null },
    ])
  })

  it('completes the checkout that its memo names, not the one of the same price', async () => {
    const [one, other] = [await shop.sell(), await shop.sell()]
    await shop.pay(other.id, [units(10)])
    expect((await shop.checkout(one.id)).status).toBe('open')
    expect((await shop.checkout(other.id)).status).toBe('completed')
  })

  it('never completes the checkout of another merchant by its memo', async () => {
    const { id } = await shop.sell()
    const second = await openShop(shop.platform)
    const { account: to } = await done(shop.services.settlementOf(second, 'testnet'))
    await shop.pay(id, [units(10)], { to })
    expect(await shop.checkout(id)).toMatchObject({ status: 'open', payment_id: null })
    expect(await (await shop.platform.shown()).exceptions.all()).toMatchObject([
      { merchantId: second, row: { details: { kind: 'unmatched', amount: units(10) } } },
    ])
  })

  it.each([
    [999n, 'dust'],
    [1000n, 'unmatched'],
  ])('records money below ten times the fee as dust: %d stroops', async (amount, kind) => {
    await shop.pay(null, [stroops(amount)], { asset: shop.network.xlm.assetId })
    expect(await shop.exceptions()).toMatchObject([{ kind, amount }])
  })

  it('does not complete the checkout in its memo when the account exchanges its own assets', async () => {
    const { xlm, usdc } = shop.network
    await shop.pay(null, [units(10)], { asset: xlm.assetId })
    const { id } = await shop.sell()
    const secret = await shop.seedOf(shop.merchantId)
    const transactionHash = shop.wallets.exchange(secret, xlm.assetId, usdc.assetId, units(10), id)
    await shop.step()
    expect(await shop.checkout(id)).toMatchObject({ status: 'open', payment_id: null })
    const exchanged = { transactionHash, from: shop.account, checkoutId: null }
    const own = (await shop.exceptions()).filter((each) => each.transactionHash === transactionHash)
    expect(own.sort((one, other) => (one.kind < other.kind ? -1 : 1))).toMatchObject([
      { ...exchanged, kind: 'unexplained', assetId: xlm.assetId },
      { ...exchanged, kind: 'unmatched', assetId: usdc.assetId, amount: units(10) },
    ])
  })

  it('records no exception during the set-up of the account', async () => {
    await openShop(shop.platform)
    await shop.step()
    expect(await shop.exceptions()).toEqual([])
  })

  it('ingests the first payment although no worker ran before it', async () => {
    const { id } = await shop.sell()
    for (let n = 0; n < 3; n++) shop.network.wait(1000)
    shop.payer.pay({ to: shop.account, asset: shop.network.usdc.assetId, parts: [units(10)], memo: id })
    for (let n = 0; n < 3; n++) shop.network.wait(1000)
    await shop.step()
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
  })
})
