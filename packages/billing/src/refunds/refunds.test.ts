import { meteredShop } from '../testing/metered.ts'
import { done, refused } from '../testing/outcomes.ts'
import { refundsIn } from '../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'

let front: StoreFront
let refunds: ReturnType<typeof refundsIn>
let shop: ReturnType<typeof meteredShop>
beforeAll(async () => {
  front = await openStoreFront()
  refunds = refundsIn(front)
  shop = meteredShop(front)
})
afterAll(() => front.close())

describe('a refund', () => {
  it('is pending from its request on, and wants the whole amount paid to the wallet that paid', async () => {
    const payment = await refunds.paid()
    const refund = await done(refunds.request(payment))
    expect(refund).toEqual({
      id: expect.stringMatching(/^rf_/),
      object: 'refund',
      payment_id: payment.id,
      customer_id: null,
      amount: '10 USDC',
      amount_stroops: '100000000',
      asset_id: front.network.usdc.assetId,
      status: 'pending',
      reason: 'damaged',
      receiver_wallet_address: front.payer.account,
      transaction_hash: null,
      ledger: null,
      succeeded_at: null,
      failure_reason: null,
      failure_message: null,
      failure_code: null,
      metadata: { order: '1042' },
      environment: 'testnet',
      created_at: expect.any(String),
    })
    expect(await refunds.refundNow(refund)).toEqual(refund)
    expect(await refunds.paymentNow(payment)).toMatchObject({
      status: 'confirmed',
      refunded: false,
      line_items: [{ id: `ref_${refund.id.slice(3)}`, amount: '10 USDC', reason: 'damaged', status: 'pending' }],
    })
    expect(await refunds.intentsOf(refund.id)).toMatchObject([
      {
        details: {
          class: 'refund',
          source: front.account,
          action: { destination: front.payer.account, assetId: front.network.usdc.assetId, amount: units(10) },
          memo: refund.id,
        },
      },
    ])
  })

  it('sends what an overpaid payment has kept, and not what was returned of it', async () => {
    const payment = await refunds.paid(10.05)
    expect(payment).toMatchObject({ amount: '10.05 USDC', overpaid_amount: '0.05 USDC' })
    expect(await done(refunds.request(payment))).toMatchObject({ amount: '10.05 USDC' })
    const returned = await refunds.paid(12)
    expect(await done(refunds.request(returned))).toMatchObject({ amount: '10 USDC' })
  })

  it('succeeds once a closed ledger holds it: its payment is refunded, and cannot be again', async () => {
    const payment = await refunds.paid()
    const refund = await done(refunds.request(payment))
    await refunds.settle(refund)
    const { transactionHash, ledger } = refunds.place()
    expect(await refunds.refundNow(refund)).toMatchObject({
      status: 'succeeded',
      transaction_hash: transactionHash,
      ledger,
    })
    expect(await refunds.paymentNow(payment)).toMatchObject({
      status: 'confirmed',
      refunded: true,
      line_items: [{ status: 'confirmed' }],
    })
    expect(await refused(refunds.request(payment))).toEqual({ _tag: 'RefundExists', refundId: refund.id })
  })

  it.each([
    ['paymentNoDestination', 'destination_not_found'],
    ['paymentNoTrust', 'destination_no_trustline'],
    ['paymentNotAuthorized', 'destination_not_authorized'],
    ['paymentLineFull', 'destination_full'],
    ['paymentUnderfunded', 'insufficient_funds'],
    ['paymentSrcNotAuthorized', 'refused_by_ledger'],
  ])('fails by %s as %s, and another is allowed then', async (code, reason) => {
    const payment = await refunds.paid()
    const refund = await done(refunds.request(payment))
    await refunds.fail(refund, code)
    expect(await refunds.refundNow(refund)).toMatchObject({
      status: 'failed',
      failure_reason: reason,
      failure_message: expect.any(String),
      failure_code: code,
      transaction_hash: null,
    })
    const next = await done(refunds.request(payment))
    await refunds.settle(next)
    expect(await refunds.paymentNow(payment)).toMatchObject({
      refunded: true,
      line_items: [{ status: 'failed' }, { id: `ref_${next.id.slice(3)}`, status: 'confirmed' }],
    })
  })

  it('fails when it was given up', async () => {
    const refund = await done(refunds.request(await refunds.paid()))
    await refunds.tell(refund, { _tag: 'given_up', reason: 'attempts_exhausted' })
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'failed', failure_reason: 'not_sent' })
  })

  it('is told of its end once, however often the worker says so', async () => {
    const refund = await done(refunds.request(await refunds.paid()))
    const end = { _tag: 'settled' as const, ...refunds.place() }
    await refunds.tell(refund, end)
    const before = await front.platform.logEnd()
    await refunds.tell(refund, end)
    expect(await front.platform.logEnd()).toEqual(before)
  })

  it('is possible for a customer who is deleted meanwhile', async () => {
    const [customerId, productId] = [await shop.customer(), await shop.product({ credits: 0 })]
    const payment = { id: await shop.buy(customerId, productId) }
    await done(front.billing.customers.remove(refunds.now(), customerId))
    const refund = await done(refunds.request(payment))
    await refunds.settle(refund)
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'succeeded', customer_id: customerId })
    expect(await refunds.paymentNow(payment)).toMatchObject({ billing_details: null, refunded: true })
  })

  it('is listed, all or those of a payment, and by status', async () => {
    const payment = await refunds.paid()
    const first = await done(refunds.request(payment))
    await refunds.fail(first)
    const second = await done(refunds.request(payment))
    await done(refunds.request(await refunds.paid()))
    await front.platform.shown()
    const page = { ...front.scope, limit: 100 }
    const ids = async (changed: object, paymentId: string | null) =>
      (await front.billing.refunds.list({ ...page, ...changed }, paymentId)()).resources.map(({ id }) => id)
    expect(await ids({}, payment.id)).toEqual([second.id, first.id].sort().reverse())
    expect(await ids({ status: 'failed' }, payment.id)).toEqual([first.id])
    expect((await ids({}, null)).length).toBeGreaterThan(2)
  })
})
