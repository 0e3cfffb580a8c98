import { dayMs, minuteMs, stroops } from '@quittance/domain'
import { createBilling } from '../../face/billing.ts'
import { acceptLog } from '../../testing/accept-log.ts'
import { clubIn } from '../../testing/club.ts'
import { dustersOn } from '../../testing/dust.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { beforeAppending, dyingAfter } from '../../testing/failing-stores.ts'
import { done, present, right } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn, survived, wantedRefund } from '../../testing/refunds.ts'
import { backUp } from '../../testing/restored.ts'
import { book, command, options } from '../../testing/shop.ts'
import { withoutChannels } from '../../testing/till.ts'
import { units } from '../../testing/wallets.ts'
import { createWorker } from '../../worker/worker.ts'
import { recoveryStage } from './testing/recovery-stage.ts'

const stage = recoveryStage()
const { front, pass, goBackTo, restoreTo, held, reconciled } = stage
const usdc = () => front().network.usdc.assetId

describe('a log that has lost what was sent', () => {
  /** A server that dies right after its first append. */
  const dying = () => createBilling({ ...front().services, store: dyingAfter(1)(front().services.store) })

  it('settles the refund that it has claimed, and not that of a payment like it', async () => {
    const [claimed, alike] = [await refundsIn(front()).paid(), await refundsIn(front()).paid()]
    const other = await refundsIn(front()).paid(10, usdc(), front().other)
    expect(await survived(dying().refunds.request(refundsIn(front()).now(), wantedRefund(claimed))())).toBe(false)
    const backup = backUp(front())
    await done(refundsIn(front()).request(other))
    await pass()
    const before = [await held(), await held(front().other.account)]

    await goBackTo(backup)
    const refunded = []
    for (const payment of [claimed, alike, other])
      refunded.push((await refundsIn(front()).paymentNow(payment)).refunded)
    expect(refunded).toEqual([true, false, true])
    expect([await held(), await held(front().other.account)]).toEqual(before)
    expect(await reconciled()).toMatchObject({ isOk: true, named: { refund: 2 }, unexplained: [], missing: [] })
  })

  it('begins the wait of a refund and of a return again, since it may have lost their cancellations', async () => {
    const elsewhere = (await front().wallets.wallet(91)).account
    const stranger = await front().wallets.wallet(92)
    stranger.requireMemo()
    const stray = await exceptionsIn(front()).of(await front().pay(null, [units(7)], { from: stranger }))
    const [payment, other] = [await refundsIn(front()).paid(), await refundsIn(front()).paid()]
    const context = refundsIn(front()).now()
    const request = () => done(refundsIn(front()).request(payment, { destination: elsewhere }, context))
    const refund = await request()
    const wanted = { action: 'refund', destination: elsewhere, mayNameAnyAddress: true, note: null } as const
    await done(exceptionsIn(front()).resolve(stray, wanted))
    const backup = backUp(front())
    await done(front().billing.refunds.cancel(refundsIn(front()).now(), refund.id))
    await done(front().billing.exceptions.cancelReturn(exceptionsIn(front()).now(), stray.id))
    await refundsIn(front()).ended(await done(refundsIn(front()).request(other)))
    const before = await held(elsewhere)
    front().network.wait(2 * dayMs)

    await restoreTo(backup)
    await pass(1)
    expect(await request()).toEqual(refund)
    await acceptLog(front())
    await pass()
    const waits = await refundsIn(front()).refundNow(refund)
    const sendsAt = Date.parse(present(waits.sends_at))
    expect(sendsAt).toBeGreaterThan(front().network.now() + dayMs - 10 * minuteMs)
    expect(await exceptionsIn(front()).known(stray)).toMatchObject({
      return_status: 'pending',
      return_sends_at: waits.sends_at,
    })
    const published = async (resourceId: string) => {
      const page = { ...front().scope, after: null, type: null, resourceId, limit: 10 }
      return (await (await front().platform.shown()).publicEvents.page(page)).publicEvents.map(({ type }) => type)
    }
    expect(await published(refund.id)).toEqual(['refund.created', 'refund.waiting', 'refund.waiting'])
    expect((await published(stray.id)).filter((type) => type === 'exception.return_waiting')).toHaveLength(2)
    front().network.wait(sendsAt - front().network.now() - 1)
    await front().step()
    expect(await held(elsewhere)).toBe(before)
    await done(front().billing.refunds.cancel(refundsIn(front()).now(), refund.id))
    front().network.wait(1)
    await pass()
    expect((await held(elsewhere)) - before).toBe(units(7))
  })

  it('settles a refund that waits in the log, and that the ledger holds', async () => {
    const elsewhere = (await front().wallets.wallet(91)).account
    const [payment, before] = [await refundsIn(front()).paid(), await held(elsewhere)]
    const refund = await done(refundsIn(front()).request(payment, { destination: elsewhere }))
    const backup = backUp(front())
    front().network.wait(dayMs)
    await refundsIn(front()).ended(refund)

    await goBackTo(backup)
    expect(await refundsIn(front()).refundNow(refund)).toMatchObject({ status: 'succeeded', sends_at: null })
    front().network.wait(3 * dayMs)
    await pass()
    expect((await held(elsewhere)) - before).toBe(units(10))
  })

  it('settles the payout that it has claimed', async () => {
    await payoutsIn(front()).earn(3)
    const destination = await payoutsIn(front()).destination(front().other)
    const request = dying().payouts.request(payoutsIn(front()).now(), payoutsIn(front()).wanted(destination))
    expect(await survived(request())).toBe(false)
    const backup = backUp(front())
    await pass()
    const before = await held(front().other.account)

    await goBackTo(backup)
    expect(await payoutsIn(front()).list()).toMatchObject([{ status: 'succeeded', amount: '10 USDC' }])
    expect((await held(front().other.account)) - before).toBe(0n)
    expect(await reconciled()).toMatchObject({ isOk: true, named: { payout: 1 }, unexplained: [], missing: [] })
  })

  it.each(['ReturnStarted', 'RefundClaimed'])(
    'settles what a person decides right before %s is recovered',
    async (type) => {
      const payment = await refundsIn(front()).paid()
      const backup = backUp(front())
      await front().pay(null, [units(300)])
      const [stray] = await exceptionsIn(front()).all()
      await pass()
      await refundsIn(front()).ended(await done(refundsIn(front()).request(payment)))
      const before = await held()

      const decide = async () => {
        await refundsIn(front()).request(payment)()
        await exceptionsIn(front()).resolve(present(stray), { action: 'refund', destination: null, note: null })()
      }
      await goBackTo(backup, beforeAppending(type, decide))
      await pass()
      expect(await exceptionsIn(front()).all()).toMatchObject([{ status: 'resolved', return_status: 'succeeded' }])
      expect(await refundsIn(front()).paymentNow(payment)).toMatchObject({ refunded: true })
      expect((await held()) - before).toBe(0n)
      expect((await (await front().platform.shown()).ledgerTransactions.all()).map(({ row }) => row.status)).toEqual([
        'closed',
        'closed',
      ])
      expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
    },
  )

  it('settles what is requested while it is recovered, where several payments could have been meant', async () => {
    const [one] = [await refundsIn(front()).paid(), await refundsIn(front()).paid()]
    const other = await refundsIn(front()).paid(10, usdc(), front().other)
    const backup = backUp(front())
    for (const payment of [other, one]) {
      await done(refundsIn(front()).request(payment))
      front().network.wait(1_000)
    }
    await pass()
    const before = [await held(), await held(front().other.account)]

    await goBackTo(
      backup,
      beforeAppending('RefundClaimed', () => done(refundsIn(front()).request(one)).then(() => undefined)),
    )
    expect(await refundsIn(front()).paymentNow(one)).toMatchObject({ refunded: true })
    expect([await held(), await held(front().other.account)]).toEqual(before)
    expect(await reconciled()).toMatchObject({ isOk: true, named: { refund: 2 }, unexplained: [], missing: [] })
  })

  it('settles a refund by a transaction that has used the sequence number of the one that it knows', async () => {
    const [one, other] = [await refundsIn(front()).paid(), await refundsIn(front()).paid(10, usdc(), front().other)]
    await done(refundsIn(front()).request(one))
    const backup = backUp(front())
    await done(refundsIn(front()).request(other))
    await front().step()
    const before = [await held(), await held(front().other.account)]

    await restoreTo(backup)
    // The first transaction is still on its way, and the second one, of the one refund, is refused.
    await front().step()
    front().network.wait(5_000)
    await front().step()
    await acceptLog(front())
    await pass()
    for (const payment of [one, other])
      expect(await refundsIn(front()).paymentNow(payment)).toMatchObject({ refunded: true })
    expect([(await held()) - (before[0] ?? 0n), (await held(front().other.account)) - (before[1] ?? 0n)]).toEqual([
      units(10),
      units(10),
    ])
    expect(await reconciled()).toMatchObject({ isOk: true, named: { refund: 2 }, unexplained: [], missing: [] })
  })

  it('settles the payout of a schedule, and runs the schedule once for its day', async () => {
    await payoutsIn(front()).earn(3)
    const destination = await payoutsIn(front()).destination(front().other)
    const daily = { type: 'daily' } as const
    const schedule = { assetId: usdc(), interval: daily, reserve: stroops(0n), destination }
    await done(front().billing.payouts.schedules.set(payoutsIn(front()).now(), schedule))
    const backup = backUp(front())
    front().network.wait(dayMs)
    await pass()
    const [paid] = await payoutsIn(front()).list()
    expect(paid).toMatchObject({ status: 'succeeded', amount: '30 USDC' })
    const before = await held(front().other.account)

    await goBackTo(backup)
    await payoutsIn(front()).earn(1)
    await pass()
    expect(await payoutsIn(front()).list()).toMatchObject([{ id: present(paid).id, status: 'succeeded' }])
    expect((await held(front().other.account)) - before).toBe(0n)
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it.each(['one_time', 'subscription'] as const)(
    'keeps the exception for a payment of a %s product if its session is made again before the ledger is ingested once more',
    async (type) => {
      const cheap = { ...book(usdc()), type, ...(type === 'one_time' ? {} : { recurringPeriod: 'month' as const }) }
      const { id: productId } = await done(
        front().billing.products.create(command(front().platform, front().merchantId), cheap),
      )
      const request = command(front().platform, front().merchantId)
      const customer = { id: null, email: 'ada@example.com', phone: null }
      const sell = () => done(front().billing.checkouts.createForProduct(request, productId, options(customer)))
      const [backup, cursor] = [backUp(front()), present(await done(front().services.cursors.of('testnet').load()))]
      const { id } = await sell()
      if (type === 'one_time') await front().pay(id, [units(10)])
      else await clubIn(front()).enrol(id, front().payer)
      expect(await front().checkout(id)).toMatchObject({ status: 'completed' })

      await restoreTo(backup)
      await front().step()
      expect(await front().exceptions()).toMatchObject([{ kind: 'unmatched', checkoutId: null, amount: units(10) }])
      expect(await sell()).toMatchObject({ id, status: 'open' })
      await front().services.cursors.move('testnet', cursor)
      await pass()
      expect(await front().exceptions()).toMatchObject([{ kind: 'unmatched', checkoutId: null, amount: units(10) }])
      expect(await front().payments(id)).toEqual([])
      expect(await front().checkout(id)).toMatchObject({ status: 'open' })
      expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
    },
  )

  it('keeps a sum of payments if the session of one is made again before the ledger is ingested once more', async () => {
    const { id: productId } = await done(
      front().billing.products.create(command(front().platform, front().merchantId), book(usdc())),
    )
    const request = command(front().platform, front().merchantId)
    const sell = () => done(front().billing.checkouts.createForProduct(request, productId, options()))
    const strangers = await dustersOn(front(), 9)
    const [backup, cursor] = [backUp(front()), present(await done(front().services.cursors.of('testnet').load()))]
    const { id } = await sell()
    const paying = { to: front().account, asset: usdc(), parts: [units(10)], memo: await front().memoOf(id) }
    right(front().network.sandbox.submit(front().payer.signedPayment(paying, 0)))
    strangers.flood({ to: front().account, asset: usdc(), memo: null, payments: 9, single: 9, amount: units(20) })

    await restoreTo(backup)
    await front().step()
    const opened = await front().exceptions()
    expect(opened).toHaveLength(9)
    expect(opened.flatMap(({ sum, amount }) => (sum === undefined ? [] : [amount]))).toEqual([units(30)])
    expect(await sell()).toMatchObject({ id, status: 'open' })
    await front().services.cursors.move('testnet', cursor)
    await pass()
    expect(await front().exceptions()).toEqual(opened)
    expect(await front().payments(id)).toEqual([])
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('recovers what accounts without channels have paid, with their fees', async () => {
    const payment = await refundsIn(front()).paid()
    const backup = backUp(front())
    const alone = withoutChannels(present(front().services.networks.testnet))
    const services = { ...front().services, networks: { testnet: alone, mainnet: null } }
    const worker = present(createWorker(services, 'testnet', () => undefined))
    const refund = await done(refundsIn(front()).request(payment))
    for (let ledgers = 0; ledgers < 3; ledgers++) {
      await done(worker.step)
      front().network.wait(1_000)
    }
    await done(worker.step)
    expect(await refundsIn(front()).refundNow(refund)).toMatchObject({ status: 'succeeded' })
    const before = await held()

    await goBackTo(backup)
    expect(await refundsIn(front()).paymentNow(payment)).toMatchObject({ refunded: true })
    expect((await held()) - before).toBe(0n)
    expect(await reconciled()).toMatchObject({ isOk: true, named: { refund: 1, fee: 1 }, unexplained: [], missing: [] })
  })

  it('ingests the same ledgers again without writing anything', async () => {
    const payment = await refundsIn(front()).paid()
    const backup = backUp(front())
    const cursor = present(await done(front().services.cursors.of('testnet').load()))
    await refundsIn(front()).ended(await done(refundsIn(front()).request(payment)))
    await goBackTo(backup)
    const end = await front().platform.logEnd()
    await front().services.cursors.move('testnet', cursor)
    await front().step()
    expect(await front().platform.logEnd()).toEqual(end)
  })
})
