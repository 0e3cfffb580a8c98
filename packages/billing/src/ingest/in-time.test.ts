import { Customer, Product, WalletId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { execute } from '../kernel/execute.ts'
import { done, present } from '../testing/outcomes.ts'
import { command, someone } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'

describe('money that arrives in time', () => {
  let shop: StoreFront
  beforeAll(async () => {
    shop = await openStoreFront()
  })
  afterAll(() => shop.close())

  it('completes a checkout that is paid exactly, and confirms its payment', async () => {
    const { id } = await shop.sell()
    const hash = await shop.pay(id, [units(10)])
    const payment = await shop.payment(id)
    expect(await shop.checkout(id)).toMatchObject({
      status: 'completed',
      late: false,
      payment_id: payment.id,
      failure_reason: null,
      completed_at: payment.confirmed_at,
    })
    expect(payment).toMatchObject({
      status: 'confirmed',
      amount: '10 USDC',
      amount_stroops: '100000000',
      amount_cents: 1000,
      transaction_hash: hash,
      transactions: [{ hash, amount: '10 USDC', from: shop.payer.account }],
      overpaid_amount: null,
      late: false,
      customer_id: null,
      billing_details: null,
      payment_method_details: null,
    })
    expect(await shop.exceptionsOf(id)).toEqual([])
  })

  it('adds up partial payments, also those within one transaction', async () => {
    const { id } = await shop.sell()
    await shop.pay(id, [units(1), units(2)])
    expect(await shop.checkout(id)).toMatchObject({ status: 'open' })
    expect(await shop.payment(id)).toMatchObject({ status: 'pending', amount: '3 USDC' })
    const quote = await done(shop.billing.payer.quote(id))
    expect([quote.amount_received, quote.amount_due]).toEqual(['3', '7'])
    const last = await shop.pay(id, [units(7)], { from: shop.other })
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
    expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', amount: '10 USDC', transaction_hash: last })
    expect((await shop.payment(id)).transactions).toHaveLength(3)
    expect(await shop.exceptionsOf(id)).toEqual([])
  })

  it.each([
    [10.1, '10.1 USDC', '0.1 USDC', []],
    [10.1000001, '10 USDC', null, [{ kind: 'overpaid', amount: units(0.1000001) }]],
    [15, '10 USDC', null, [{ kind: 'overpaid', amount: units(5) }]],
  ])(
    'keeps an excess up to 1 %% or 0.10 USD, and returns all of a larger excess: %d for 10',
    async (sent, amount, kept, left) => {
      const { id } = await shop.sell()
      await shop.pay(id, [units(sent)])
      expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', amount, overpaid_amount: kept })
      expect(await shop.exceptionsOf(id)).toEqual(left)
    },
  )

  it('leaves money unapplied once the price is covered', async () => {
    const { id } = await shop.sell()
    await shop.pay(id, [units(10), units(3)])
    await shop.pay(id, [units(4)])
    expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
    expect(await shop.exceptionsOf(id)).toEqual([
      { kind: 'paid_twice', amount: units(3) },
      { kind: 'paid_twice', amount: units(4) },
    ])
  })

  it('leaves another asset unapplied, and lets the right one complete the session', async () => {
    const { id } = await shop.sell()
    await shop.pay(id, [units(10)], { asset: shop.network.eurc.assetId })
    expect(await shop.checkout(id)).toMatchObject({ status: 'open', payment_id: null })
    expect(await shop.exceptionsOf(id)).toEqual([{ kind: 'wrong_asset', amount: units(10) }])
    await shop.pay(id, [units(10)])
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
  })

  it('never completes a session by an asset of the same code from another issuer', async () => {
    const { id } = await shop.sell()
    const counterfeit = `USDC:${shop.other.account}`
    const asset = shop.wallets.assetNamed(counterfeit)
    shop.wallets.trust(await shop.seedOf(shop.merchantId), asset)
    await shop.pay(id, [units(10)], { asset, from: shop.other })
    expect(await shop.checkout(id)).toMatchObject({ status: 'open', payment_id: null })
    expect(await shop.payments(id)).toEqual([])
    expect(await shop.exceptionsOf(id)).toEqual([{ kind: 'wrong_asset', amount: units(10) }])
  })

  it('records nothing of a transaction that fails on the ledger', async () => {
    const { id } = await shop.sell()
    await shop.pay(id, [units(10), units(1_000_000)])
    expect(await shop.checkout(id)).toMatchObject({ status: 'open', payment_id: null })
    expect([await shop.payments(id), await shop.exceptionsOf(id)]).toEqual([[], []])
  })

  it('grants access, links the wallet, and keeps the customer as of the payment', async () => {
    const { billing, merchantId, platform, scope } = shop
    const [customer] = await done(
      billing.customers.createAll(command(platform, merchantId), [someone('ada@example.org')]),
    )
    const customerId = present(customer).id
    const before = await shop.sell(undefined, { id: customerId, email: null, phone: null })
    const productId = present(before.product_id)
    expect(await done(billing.access(scope, customerId, productId))).toMatchObject({ has_access: false, grant: null })
    await shop.pay(before.id, [units(10)])
    const payment = await shop.payment(before.id)
    expect(await done(billing.access(scope, customerId, productId))).toEqual({
      has_access: true,
      grant: { type: 'one_time', payment_id: payment.id },
      expires_at: null,
    })
    const { wallets } = await done(billing.customers.retrieve(scope, customerId))
    expect(wallets).toMatchObject([{ address: shop.payer.account }])
    expect(payment).toMatchObject({
      customer_id: customerId,
      billing_details: { email: 'ada@example.org', name: 'Ada Lovelace' },
      payment_method_details: { id: wallets[0]?.id, address: shop.payer.account },
    })

    const again = await shop.sell(undefined, { id: customerId, email: null, phone: null })
    await shop.pay(again.id, [units(10)])
    expect((await done(billing.customers.retrieve(scope, customerId))).wallets).toEqual(wallets)
    expect((await shop.payment(again.id)).payment_method_details).toEqual(payment.payment_method_details)

    const unlink = Customer.decider.decide({ type: 'UnlinkWallet', walletId: decoded(WalletId, wallets[0]?.id) })
    await done(execute(shop.services.store)(Customer, customerId, command(platform, merchantId), unlink))
    const relinked = await shop.sell(undefined, { id: customerId, email: null, phone: null })
    await shop.pay(relinked.id, [units(10)])
    const [wallet] = (await done(billing.customers.retrieve(scope, customerId))).wallets
    expect(wallet).toMatchObject({ address: shop.payer.account })
    expect((await shop.payment(relinked.id)).payment_method_details).toMatchObject({ id: wallet?.id })
    expect(wallet?.id).not.toBe(wallets[0]?.id)
  })

  it('keeps a session open when its product is archived', async () => {
    const { id, product_id } = await shop.sell()
    const archive = Product.decider.decide({ type: 'ArchiveProduct' })
    const context = command(shop.platform, shop.merchantId)
    await done(execute(shop.services.store)(Product, present(product_id), context, archive))
    await shop.pay(id, [units(10)])
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
  })
})
