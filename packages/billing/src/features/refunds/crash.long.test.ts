import * as E from 'fp-ts/lib/Either.js'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { meteredShop } from '../../testing/metered.ts'
import { done } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
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

  it('a refund to a named address waits after a crash at any append of its request, its cancellation and its sending', async () => {
    const to = { destination: (await front.wallets.wallet(62)).account }
    const day = 24 * 3_600_000
    const deaths = { request: 0, cancel: 0, send: 0 }
    const dies = async (appends: number, work: (on: TestPlatform) => Promise<unknown>): Promise<boolean> => {
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(appends))
      const lived = await survived(work(dying))
      await dying.close()
      return !lived
    }
    const published = async (resourceId: string) => {
      const page = { ...front.scope, after: null, type: null, resourceId, limit: 10 }
      return (await (await front.platform.shown()).publicEvents.page(page)).publicEvents.map(({ type }) => type)
    }
    for (let isDead = true; isDead; deaths.request += isDead ? 1 : 0) {
      const [payment, context] = [await refunds.paid(), refunds.now()]
      const wanted = wantedRefund(payment, to)
      isDead = await dies(deaths.request + 1, (on) => done(on.billing.refunds.request(context, wanted)))
      front.network.wait(day - 1)
      await front.step()
      const refund = await done(refunds.request(payment, to, context))
      expect(await published(refund.id)).toEqual(['refund.created', 'refund.waiting'])
      expect(await refunds.intentsOf(refund.id)).toEqual([])
      front.network.wait(1)
      expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
    }
    for (let isDead = true; isDead; deaths.cancel += isDead ? 1 : 0) {
      const [payment, context] = [await refunds.paid(), refunds.now()]
      const refund = await done(refunds.request(payment, to))
      isDead = await dies(deaths.cancel + 1, (on) => done(on.billing.refunds.cancel(context, refund.id)))
      front.network.wait(day)
      expect(await refunds.ended(refund)).toMatchObject({ status: 'failed', failure_reason: 'canceled' })
      expect(await refunds.intentsOf(refund.id)).toEqual([])
      expect(await refunds.ended(await done(refunds.request(payment)))).toMatchObject({ status: 'succeeded' })
    }
    for (let isDead = true; isDead && deaths.send < 20; deaths.send += isDead ? 1 : 0) {
      const refund = await done(refunds.request(await refunds.paid(), to))
      front.network.wait(day)
      isDead = await dies(deaths.send + 1, (on) => done(on.worker.step))
      expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
      expect(await refunds.intentsOf(refund.id)).toHaveLength(1)
    }
    expect(deaths).toEqual({ request: 2, cancel: 2, send: expect.any(Number) })
    expect(deaths.send).toBeGreaterThan(2)
    expect(deaths.send).toBeLessThan(20)
  })

  it('the next worker completes the end of a refund after a crash at any append', async () => {
    const usdc = front.network.usdc.assetId
    const wallet = await front.wallets.bareWallet(61)
    wallet.trust(usdc)
    await payoutsIn(front).destination(wallet)
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
