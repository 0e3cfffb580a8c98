import { beforeAppending, dyingAfter } from '../../testing/failing-stores.ts'
import { done } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform } from '../../testing/platform.ts'
import { refundsIn, survived } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

let front: StoreFront
let payouts: ReturnType<typeof payoutsIn>
beforeEach(async () => {
  front = await openStoreFront()
  payouts = payoutsIn(front)
})
afterEach(() => front.close())

describe('crashes around a payout', () => {
  it('the worker resumes a payout with the same ids after a crash at any append', async () => {
    const destination = await payouts.destination()
    let deaths = 0
    for (; deaths < 20; deaths++) {
      await payouts.earn(1)
      const context = payouts.now()
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      const lived = await survived(done(dying.billing.payouts.request(context, payouts.wanted(destination))))
      await dying.close()
      await front.step()
      const payout = await done(payouts.request(destination, {}, context))
      expect(await payouts.intentsOf(payout.id)).toHaveLength(1)
      expect(await payouts.ended(payout)).toMatchObject({ status: 'succeeded' })
      expect(await payouts.balance()).toEqual({ ledger: '0', available: '0', held: '0', in_flight: '0' })
      if (lived) break
    }
    // Claimed, requested, its intent recorded.
    expect(deaths).toBe(3)
  })

  it('a payout is paid once when the worker that settles it dies after any append', async () => {
    const destination = await payouts.destination()
    let deaths = 0
    for (; deaths < 40; deaths++) {
      await payouts.earn(1)
      const before = await payouts.holds(front.payer.account)
      const payout = await done(payouts.request(destination))
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      const seesTwoLedgers = async (): Promise<void> => {
        await done(dying.worker.step)
        front.network.wait(1000)
        await done(dying.worker.step)
      }
      const lived = await survived(seesTwoLedgers())
      await dying.close()
      expect(await payouts.ended(payout)).toMatchObject({ status: 'succeeded' })
      expect((await payouts.holds(front.payer.account)) - before).toBe(units(10))
      await front.step()
      expect(await payouts.balance()).toEqual({ ledger: '0', available: '0', held: '0', in_flight: '0' })
      if (lived) break
    }
    expect(deaths).toBeGreaterThan(8)
    expect(deaths).toBeLessThan(40)
  })

  it('a payout is either canceled or paid when the process that cancels it dies after any append', async () => {
    const destination = await payouts.destination()
    let deaths = 0
    for (; deaths < 20; deaths++) {
      await payouts.earn(1)
      const before = await payouts.holds(front.payer.account)
      const payout = await done(payouts.request(destination))
      const context = payouts.now()
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      const lived = await survived(done(dying.billing.payouts.cancel(context, payout.id)))
      await dying.close()
      expect(await payouts.ended(payout)).toMatchObject({ status: 'canceled' })
      expect(await done(front.billing.payouts.cancel(context, payout.id))).toMatchObject({ status: 'canceled' })
      expect(await payouts.holds(front.payer.account)).toBe(before)
      expect((await payouts.balance()).in_flight).toBe('0')
      if (lived) break
    }
    expect(deaths).toBe(3)
  })

  it('a payout that is canceled while its transaction is prepared is not released', async () => {
    await payouts.earn(1)
    const payout = await done(payouts.request(await payouts.destination()))
    const slow = await openPlatform(
      front.network,
      front.folder.path,
      beforeAppending('TransactionReleased', async () => {
        await done(front.billing.payouts.cancel(payouts.now(), payout.id))
      }),
    )
    await slow.worker.step()
    await slow.close()
    expect(await payouts.ended(payout)).toMatchObject({ status: 'canceled' })
    front.network.wait(1000)
    await front.step()
    expect(await payouts.balance()).toMatchObject({ ledger: '10', available: '10' })
  })

  it('a chosen payout gives way to a refund that is claimed before its release', async () => {
    const refunds = refundsIn(front)
    const payment = await refunds.paid(10)
    const payout = await done(payouts.request(await payouts.destination()))
    const slow = await openPlatform(
      front.network,
      front.folder.path,
      beforeAppending('TransactionPrepared', async () => {
        await done(refunds.request(payment))
      }),
    )
    await slow.worker.step()
    await slow.close()
    await front.step()
    front.network.wait(1000)
    await front.step()
    expect(await refunds.paymentNow(payment)).toMatchObject({ refunded: true })
    expect(await payouts.payoutNow(payout)).toMatchObject({ status: 'pending' })
  })
})
