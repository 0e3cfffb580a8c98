import { asText, count, hourMs } from '@quittance/domain'
import { openClub } from '../testing/club.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { payoutsIn } from '../testing/payouts.ts'
import { refundsIn } from '../testing/refunds.ts'
import { book, command, options } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'

const dayMs = 24 * hourMs
const decision = { refundDays: 90, by: asText('Ada'), reason: asText('the shop ends') }

const sale = async ({ billing, platform, merchantId }: StoreFront) => {
  const product = await done(billing.products.create(command(platform, merchantId), book()))
  return billing.checkouts.createForProduct(command(platform, merchantId), product.id, options())
}

describe('closing a merchant', () => {
  it('sells nothing, refunds for 90 days, then pays everything out and takes no commands of keys', async () => {
    const front = await openStoreFront()
    const { billing, scope, network, other } = front
    const [payouts, refunds] = [payoutsIn(front), refundsIn(front)]
    const payment = await refunds.paid()
    await payouts.earn(2)
    const destination = await payouts.destination(other)
    const before = await payouts.holds(other.account)
    const passDays = async (days: number): Promise<void> => {
      for (let day = 0; day < days; day++) network.wait(dayMs)
      for (let ledgers = 0; ledgers < 6; ledgers++) {
        await front.step()
        network.wait(5_000)
      }
    }
    const close = () => done(billing.closeMerchant(payouts.now(), { destination, ...decision }))
    const refundsUntil = network.now() + 90 * dayMs
    const assets = ['native', network.usdc.assetId, network.eurc.assetId]
    expect(await close()).toMatchObject({ refundsUntil, isNew: true, canceled: 0 })
    await passDays(3)
    expect(await close()).toMatchObject({ refundsUntil, isNew: false, assets: expect.arrayContaining(assets) })
    expect(await refused(await sale(front))).toEqual({ _tag: 'SalesFrozen' })
    expect(await done(billing.freezes.refusalOf(scope))).toBeNull()
    expect(await refunds.ended(await done(refunds.request(payment)))).toMatchObject({ status: 'succeeded' })
    await passDays(80)
    expect(await payouts.holds(other.account)).toBe(before)
    await passDays(8)
    expect(await done(billing.freezes.refusalOf(scope))).toBe('closed')
    await passDays(1)
    expect((await payouts.holds(other.account)) - before).toBe(units(20))
    expect(await payouts.balance()).toMatchObject({ ledger: '0' })
    await front.close()
  })

  it('begins nothing without a registered destination', async () => {
    const front = await openStoreFront()
    const request = { destination: front.payer.account, ...decision }
    const context = command(front.platform, front.merchantId)
    expect(await refused(front.billing.closeMerchant(context, request))).toEqual({ _tag: 'PayoutDestinationNotFound' })
    await done(await sale(front))
    await front.close()
  })

  it('ends subscriptions at their period’s end, also those whose cancellation is undone', async () => {
    const club = await openClub()
    const { billing, scope, platform, merchantId } = club
    const reader = await club.wallets.wallet(41)
    const id = await club.join(await club.club({ trialDays: count(0) }), 'r@club.example')
    await club.enrol(id, reader)
    const subscriptionId = present((await club.checkout(id)).subscription_id)
    const shown = () => done(billing.subscriptions.retrieve(scope, subscriptionId))
    const { current_period_end } = await shown()
    const destination = await payoutsIn(club).destination()
    const context = () => command(platform, merchantId)
    const closed = await done(billing.closeMerchant(context(), { destination, ...decision }))
    expect(closed).toMatchObject({ canceled: 1 })
    expect(await shown()).toMatchObject({ status: 'active', cancel_at_period_end: true })
    await done(
      billing.subscriptions.update(context(), subscriptionId, {
        cancelAtPeriodEnd: false,
        metadata: undefined,
        productId: null,
      }),
    )
    await club.pass(32 * dayMs)
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
    expect(await shown()).toMatchObject({ status: 'canceled', current_period_end })
    await club.close()
  })
})
