import {
  type AccountId,
  LedgerSequence,
  MuxedId,
  noMetadata,
  OperationIndex,
  Payment,
  RefundId,
  type Stroops,
  stroops,
} from '@quittance/domain'
import { decoded, hashOf } from '@quittance/domain/testing'
import { type IncomingPayment, writeStrkey } from '@quittance/ledger'
import { receiveIncomingPayments } from '../../ingest/incoming-payments.ts'
import { createdId } from '../../kernel/derive.ts'
import { execute } from '../../kernel/execute.ts'
import type { PaymentResource } from '../../resources/payment.ts'
import { meteredShop } from '../../testing/metered.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

let front: StoreFront
let sales = 0
let refunds: ReturnType<typeof refundsIn>
let shop: ReturnType<typeof meteredShop>
beforeAll(async () => {
  front = await openStoreFront()
  refunds = refundsIn(front)
  shop = meteredShop(front)
  await payoutsIn(front).destination(front.other)
  // Some payments of these tests are on no ledger. What their refunds take was paid here.
  for (let sale = 0; sale < 5; sale++) await refunds.paid()
})
afterAll(() => front.close())

describe('a refund', () => {
  it('a requested refund is pending, and returns the whole amount to the paying wallet', async () => {
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
      sends_at: null,
      signature_needed: false,
      approval_id: null,
      reason: 'damaged',
      receiver_wallet_address: front.payer.account,
      receiver_muxed_address: null,
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
          memo: expect.stringMatching(/^qr_[0-9A-Za-z]{22}$/),
        },
      },
    ])
    await refunds.ended(refund)
  })

  it('a refund of an overpaid payment leaves out the excess already returned', async () => {
    const payment = await refunds.paid(10.05)
    expect(payment).toMatchObject({ amount: '10.05 USDC', overpaid_amount: '0.05 USDC' })
    expect(await refunds.ended(await done(refunds.request(payment)))).toMatchObject({ amount: '10.05 USDC' })
    const returned = await refunds.paid(12)
    expect(await refunds.ended(await done(refunds.request(returned)))).toMatchObject({ amount: '10 USDC' })
  })

  it('a refund succeeds once a closed ledger holds it, and its payment cannot be refunded again', async () => {
    const payment = await refunds.paid(10, front.network.usdc.assetId, front.other)
    const held = async (account: AccountId) => {
      const [balance] = await done(front.network.gateway.balances([{ account, assetId: front.network.usdc.assetId }]))
      return present(balance?.held)
    }
    const before = { other: await held(front.other.account), shop: await held(front.account) }
    const refund = await refunds.ended(await done(refunds.request(payment)))
    expect(await held(front.other.account)).toBe(before.other + units(10))
    expect(await held(front.account)).toBe(before.shop - units(10))
    expect(refund).toMatchObject({
      status: 'succeeded',
      transaction_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      ledger: expect.any(Number),
      succeeded_at: expect.any(String),
      failure_reason: null,
    })
    expect(await refunds.paymentNow(payment)).toMatchObject({
      status: 'confirmed',
      refunded: true,
      line_items: [{ status: 'confirmed' }],
    })
    expect(await refused(refunds.request(payment))).toEqual({ _tag: 'RefundExists', refundId: refund.id })
  })

  it('a refund goes to another wallet if the request names one', async () => {
    const refund = await done(refunds.request(await refunds.paid(), { destination: front.other.account }))
    expect(await refunds.ended(refund)).toMatchObject({
      status: 'succeeded',
      receiver_wallet_address: front.other.account,
    })
  })

  /** A sale that is paid in another way than by the wallets of these tests. */
  const paidBy = async (sender: Partial<IncomingPayment>): Promise<PaymentResource> => {
    const { id } = await front.sell()
    await done(() =>
      receiveIncomingPayments(front.services, front.scope, [
        {
          kind: 'payment',
          transactionHash: hashOf(++sales),
          operationIndex: decoded(OperationIndex, 0),
          ledger: decoded(LedgerSequence, front.network.sandbox.clock().ledger),
          closedAt: front.network.now(),
          from: front.payer.account,
          fromMuxedId: null,
          fromContract: null,
          destination: front.account,
          muxedId: null,
          assetId: front.network.usdc.assetId,
          amount: units(10),
          memo: { _tag: 'text', value: id },
          ...sender,
        },
      ]),
    )
    return front.payment(id)
  }

  it('a refund goes to the muxed id that paid, and to no other account with that id', async () => {
    const destinationMuxedId = decoded(MuxedId, '7')
    const muxed = { fromMuxedId: destinationMuxedId }
    const back = await done(refunds.request(await paidBy(muxed)))
    expect((await refunds.intentsOf(back.id))[0]?.details.action).toMatchObject({ destinationMuxedId })
    const { account } = front.payer
    expect(await refunds.refundNow(back)).toMatchObject({
      receiver_wallet_address: account,
      receiver_muxed_address: writeStrkey({ _tag: 'muxed_account', account, muxedId: destinationMuxedId }),
    })
    const elsewhere = await done(refunds.request(await paidBy(muxed), { destination: front.other.account }))
    expect((await refunds.intentsOf(elsewhere.id))[0]?.details.action).not.toHaveProperty('destinationMuxedId')
    expect(elsewhere.receiver_muxed_address).toBeNull()
  })

  it('a refund that an earlier version has claimed goes to the muxed id that paid, without showing it', async () => {
    const destinationMuxedId = decoded(MuxedId, '7')
    const { id } = await paidBy({ fromMuxedId: destinationMuxedId })
    const context = refunds.now()
    const refundId = createdId(RefundId, context.at, context.commandId)
    const claim = {
      refundId,
      destination: front.payer.account,
      reason: null,
      metadata: noMetadata,
      claimedAt: context.at,
    }
    const decide = Payment.decider.decide({ type: 'ClaimRefund', ...claim })
    await done(() => execute(front.services.store)(Payment, id, context, decide))
    await front.step()
    expect((await refunds.intentsOf(refundId))[0]?.details.action).toMatchObject({ destinationMuxedId })
    expect(await refunds.refundNow({ id: refundId })).toMatchObject({ receiver_muxed_address: null })
  })

  it.each([{ kind: 'contract_transfer', fromContract: 'CONTRACT' }, { kind: 'claimable_balance_claimed' }] as const)(
    'a refund needs a named wallet when the payer is unknown: $kind',
    async (sender) => {
      const payment = await paidBy(sender)
      expect(await refused(refunds.request(payment))).toEqual({ _tag: 'SenderUnknown' })
      const refund = await done(refunds.request(payment, { destination: front.other.account }))
      expect(refund).toMatchObject({ status: 'pending', receiver_wallet_address: front.other.account })
    },
  )

  /** A book that the payer and a stranger pay for together. The dust limit of USDC in these tests is 250 stroops. */
  const paidWithStranger = async (share: Stroops, isLast: boolean) => {
    const { id } = await front.sell(front.network.usdc.assetId, { id: null, email: 'owner@shop.example', phone: null })
    if (!isLast) await front.pay(id, [share], { from: front.other })
    await front.pay(id, [stroops(units(10) - share)])
    if (isLast) await front.pay(id, [share], { from: front.other })
    const payment = await front.payment(id)
    expect(payment).toMatchObject({ status: 'confirmed', payment_method_details: null, refunded: false })
    expect(payment.billing_details).toMatchObject({ email: 'owner@shop.example' })
    return payment
  }

  it.each([true, false])(
    'a refund goes to the sender, without the dust of a stranger (who comes last: %s)',
    async (isLast) => {
      const payment = await paidWithStranger(stroops(1n), isLast)
      const refund = await refunds.ended(await done(refunds.request(payment)))
      expect(refund).toMatchObject({
        status: 'succeeded',
        receiver_wallet_address: front.payer.account,
        amount_stroops: (units(10) - 1n).toString(),
      })
      expect(await refunds.paymentNow(payment)).toMatchObject({
        refunded: true,
        line_items: [{ amount: '9.9999999 USDC', status: 'confirmed' }],
      })
    },
  )

  it('a refund needs a named wallet when a stranger paid more than dust', async () => {
    const payment = await paidWithStranger(stroops(250n), true)
    expect(await refused(refunds.request(payment))).toEqual({ _tag: 'SenderUnknown' })
    const refund = await done(refunds.request(payment, { destination: front.payer.account }))
    expect(refund).toMatchObject({ amount_stroops: units(10).toString(), sends_at: expect.any(String) })
    await done(front.billing.refunds.cancel(refunds.now(), refund.id))
  })

  it('a refund is possible after its customer is deleted', async () => {
    const [customerId, productId] = [await shop.customer(), await shop.product({ credits: 0 })]
    const payment = { id: await shop.buy(customerId, productId) }
    await done(front.billing.customers.remove(refunds.now(), customerId))
    const refund = await done(refunds.request(payment))
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded', customer_id: customerId })
    expect(await refunds.paymentNow(payment)).toMatchObject({ billing_details: null, refunded: true })
  })

  it('refunds are listed in total, by payment and by status', async () => {
    const payment = await refunds.paid()
    const other = await done(refunds.request(await refunds.paid()))
    await refunds.ended(other)
    const one = await done(refunds.request(payment))
    await front.platform.shown()
    const page = { ...front.scope, limit: 2 }
    const ids = async (changed: object, paymentId: string | null) =>
      (await front.billing.refunds.list({ ...page, ...changed }, paymentId)()).resources.map(({ id }) => id)
    expect(await ids({}, null)).toEqual([one.id, other.id].sort().reverse())
    expect(await ids({}, payment.id)).toEqual([one.id])
    expect(await ids({ status: 'pending' }, null)).toEqual([one.id])
    expect(await ids({ status: 'succeeded' }, payment.id)).toEqual([])
  })
})
