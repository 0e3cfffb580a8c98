import { positiveCount, unixMs } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { meteredShop } from '../../testing/metered.ts'
import { done, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform } from '../../testing/platform.ts'
import { refundsIn, survived, wantedRefund } from '../../testing/refunds.ts'
import { book } from '../../testing/shop.ts'
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

describe('a refund of a payment that granted something', () => {
  const bought = async () => {
    const [customerId, productId] = [await shop.customer(), await shop.product()]
    return { of: { customerId, productId }, payment: { id: await shop.buy(customerId, productId) } }
  }
  type Of = Awaited<ReturnType<typeof bought>>['of']
  const balance = async (of: Of) => (await done(front.billing.credits.retrieve(front.scope, of))).balance
  const consume = (of: Of, count: number) =>
    front.billing.credits.consume(refunds.now(), of, { units: positiveCount(count), metadata: null })

  it('a refund takes the credits back before anything is paid', async () => {
    const { of, payment } = await bought()
    const refund = await done(refunds.request(payment))
    expect(await balance(of)).toBe(0)
    expect((await refused(consume(of, 1)))._tag).toBe('InsufficientCredits')
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
    expect(await balance(of)).toBe(0)
  })
  it('a failed refund restores the credits, and the next refund takes them back', async () => {
    const { of, payment } = await bought()
    const wallet = await front.wallets.bareWallet(51)
    wallet.trust(front.network.usdc.assetId)
    await payoutsIn(front).destination(wallet)
    const refund = await done(refunds.request(payment, { destination: wallet.account }))
    wallet.limit(front.network.usdc.assetId, units(9))
    expect(await refunds.ended(refund)).toMatchObject({ status: 'failed' })
    expect(await balance(of)).toBe(100)
    const next = await done(refunds.request(payment))
    expect(await balance(of)).toBe(0)
    expect(await refunds.ended(next)).toMatchObject({ status: 'succeeded' })
  })
  it('a refund that waits leaves the credits until it is sent, and a canceled one for good', async () => {
    const { of, payment } = await bought()
    const destination = (await front.wallets.wallet(52)).account
    const canceled = await done(refunds.request(payment, { destination }))
    await front.step()
    expect(await balance(of)).toBe(100)
    await done(front.billing.refunds.cancel(refunds.now(), canceled.id))
    expect(await balance(of)).toBe(100)
    const sent = await done(refunds.request(payment, { destination }))
    front.network.wait(24 * 3_600_000)
    expect(await refunds.ended(sent)).toMatchObject({ status: 'succeeded' })
    expect(await balance(of)).toBe(0)
  })
  it('a refund that waits fails once one unit of its credits is spent', async () => {
    const { of, payment } = await bought()
    const refund = await done(refunds.request(payment, { destination: (await front.wallets.wallet(53)).account }))
    await done(consume(of, 1))
    front.network.wait(24 * 3_600_000)
    expect(await refunds.ended(refund)).toMatchObject({ status: 'failed', failure_reason: 'credits_spent' })
    expect(await balance(of)).toBe(99)
  })
  it('rejects a refund once one unit of its credits is spent', async () => {
    const { of, payment } = await bought()
    await done(consume(of, 1))
    expect(await refused(refunds.request(payment))).toEqual({ _tag: 'CreditsSpent' })
    expect(await refunds.paymentNow(payment)).toMatchObject({ line_items: [] })
  })
  it('a refund fails unpaid when a unit is spent between request and claim, also after a crash at any append', async () => {
    let deaths = 0
    for (; deaths < 10; deaths++) {
      const { of, payment } = await bought()
      let isSpent = false
      const spending = (store: EventStore): EventStore => ({
        ...store,
        append:
          (...request) =>
          async () => {
            if (!isSpent) await done(consume(of, 1))
            isSpent = true
            return store.append(...request)()
          },
      })
      const dying = dyingAfter(deaths + 1)
      const racing = await openPlatform(front.network, front.folder.path, (store) => dying(spending(store)))
      const context = refunds.now(racing)
      const lived = await survived(done(racing.billing.refunds.request(context, wantedRefund(payment))))
      await racing.close()
      await front.step()
      const refund = await done(refunds.request(payment, {}, context))
      expect(await refunds.refundNow(refund)).toMatchObject({ status: 'failed', failure_reason: 'credits_spent' })
      expect(await refunds.intentsOf(refund.id)).toEqual([])
      expect(await refunds.paymentNow(payment)).toMatchObject({ line_items: [{ status: 'failed' }] })
      expect(await done(front.billing.credits.retrieve(front.scope, of))).toMatchObject({ units_remainder: 9 })
      if (lived) break
    }
    expect(deaths).toBe(4)
  })
  it('access to a product ends with the ledger that holds its refund, and not before', async () => {
    const customerId = await shop.customer()
    const { id: productId } = await done(front.billing.products.create(refunds.now(), book(front.network.usdc.assetId)))
    const payment = { id: await shop.buy(customerId, productId) }
    const access = async (at?: number) =>
      (await done(front.billing.access(front.scope, customerId, productId, at === undefined ? undefined : unixMs(at))))
        .has_access
    const refund = await done(refunds.request(payment))
    expect(await access()).toBe(true)
    const { succeeded_at } = await refunds.ended(refund)
    const closedAt = Date.parse(succeeded_at ?? '')
    expect([await access(), await access(closedAt), await access(closedAt - 1)]).toEqual([false, false, true])
  })
})
