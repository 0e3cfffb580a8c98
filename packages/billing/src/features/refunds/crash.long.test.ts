import * as E from 'fp-ts/lib/Either.js'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { meteredShop } from '../../testing/metered.ts'
import { done } from '../../testing/outcomes.ts'
import { openPlatform } from '../../testing/platform.ts'
import { refundsIn, survived, wantedRefund } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

let front: StoreFront
let refunds: ReturnType<typeof refundsIn>
let shop: ReturnType<typeof meteredShop>
beforeAll(async () => {
  front = await openStoreFront()
  refunds = refundsIn(front)
  shop = meteredShop(front)
})
afterAll(() => front.close())

describe('a request for a refund', () => {
  it('a repeated refund request gets the same answer and writes nothing, whatever has happened since', async () => {
    const payment = await refunds.paid()
    const context = refunds.now()
    const refund = await done(refunds.request(payment, {}, context))
    await refunds.ended(refund)
    const before = await front.platform.logEnd()
    expect(await done(refunds.request(payment, {}, context))).toEqual(refund)
    expect(await front.platform.logEnd()).toEqual(before)
  })

  it('a refund request to two servers at once makes one refund', async () => {
    const payment = await refunds.paid()
    const second = await openPlatform(front.network, front.folder.path)
    const asking = [front.platform, second].flatMap((platform) =>
      [1, 2, 3].map(() => platform.billing.refunds.request(refunds.now(platform), wantedRefund(payment))()),
    )
    const outcomes = await Promise.all(asking)
    await second.close()
    const made = outcomes.flatMap((each) => (E.isRight(each) ? [each.right.id] : []))
    const others = outcomes.flatMap((each) => (E.isLeft(each) ? [each.left] : []))
    expect(made).toHaveLength(1)
    expect(others).toEqual(others.map(() => ({ _tag: 'RefundExists', refundId: made[0] })))
    expect(await refunds.paymentNow(payment)).toMatchObject({ line_items: [{ status: 'pending' }] })
  })

  it('the worker resumes a refund request with the same ids after a crash at any append', async () => {
    let deaths = 0
    for (; deaths < 20; deaths++) {
      const [customerId, productId] = [await shop.customer(), await shop.product()]
      const payment = { id: await shop.buy(customerId, productId) }
      const context = refunds.now()
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      const lived = await survived(done(dying.billing.refunds.request(context, wantedRefund(payment))))
      await dying.close()
      await front.step()
      const { line_items } = await refunds.paymentNow(payment)
      expect(await refunds.intentsOf(`rf_${line_items[0]?.id.slice(4)}`)).toHaveLength(1)
      const refund = await done(refunds.request(payment, {}, context))
      expect(await refunds.intentsOf(refund.id)).toHaveLength(1)
      expect(await refunds.paymentNow(payment)).toMatchObject({ line_items: [{ id: `ref_${refund.id.slice(3)}` }] })
      expect((await done(front.billing.credits.retrieve(front.scope, { customerId, productId }))).balance).toBe(0)
      if (lived) break
    }
    expect(deaths).toBe(4)
  })

  it('the next worker completes the end of a refund after a crash at any append', async () => {
    const usdc = front.network.usdc.assetId
    const wallet = await front.wallets.bareWallet(61)
    wallet.trust(usdc)
    let deaths = 0
    for (; deaths < 30; deaths++) {
      const [customerId, productId] = [await shop.customer(), await shop.product()]
      const payment = { id: await shop.buy(customerId, productId) }
      wallet.limit(usdc, units(10))
      const refund = await done(refunds.request(payment, { destination: wallet.account }))
      wallet.limit(usdc, units(9))
      await front.step()
      front.network.wait(1000)
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      // A failure is acted upon once the next ledger is there.
      const seesTwoLedgers = async (): Promise<void> => {
        await done(dying.worker.step)
        front.network.wait(1000)
        await done(dying.worker.step)
      }
      const lived = await survived(seesTwoLedgers())
      await dying.close()
      expect(await refunds.ended(refund)).toMatchObject({ status: 'failed', failure_reason: 'destination_full' })
      expect((await done(front.billing.credits.retrieve(front.scope, { customerId, productId }))).balance).toBe(100)
      expect(await refunds.ended(await done(refunds.request(payment)))).toMatchObject({ status: 'succeeded' })
      if (lived) break
    }
    expect(deaths).toBeGreaterThan(5)
    expect(deaths).toBeLessThan(30)
  })
})
