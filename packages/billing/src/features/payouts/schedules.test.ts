import { type PayoutInterval, stroops } from '@quittance/domain'
import { done, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform } from '../../testing/platform.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

let front: StoreFront
let payouts: ReturnType<typeof payoutsIn>
beforeEach(async () => {
  front = await openStoreFront()
  payouts = payoutsIn(front)
})
afterEach(() => front.close())

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const set = async (interval: PayoutInterval, reserve = units(5)) => {
  const destination = await payouts.destination()
  const wanted = { assetId: front.network.usdc.assetId, interval, reserve, destination }
  return done(front.billing.payouts.schedules.set(payouts.now(), wanted))
}
/** Lets time pass, and the worker see what has closed. */
const pass = async (ms: number): Promise<void> => {
  front.network.wait(ms)
  await front.step()
}
const made = async () => (await payouts.list()).map(({ amount, status, automatic }) => ({ amount, status, automatic }))

describe('a payout schedule', () => {
  it('a daily schedule pays all but the reserve once a day, and nothing when nothing is available', async () => {
    await payouts.earn(2)
    expect(await set({ type: 'daily' })).toMatchObject({
      object: 'payout_schedule',
      interval: 'daily',
      reserve: '5',
      weekly_anchor: null,
      threshold: null,
      next_payout_at: '2026-11-02T00:00:00.000Z',
    })
    await pass(hourMs)
    expect(await made()).toEqual([])
    await pass(dayMs)
    await pass(1000)
    expect(await made()).toEqual([{ amount: '15 USDC', status: 'succeeded', automatic: true }])
    await pass(hourMs)
    await pass(dayMs)
    expect(await made()).toHaveLength(1)
    expect(await payouts.balance()).toEqual({ ledger: '5', available: '5', held: '0', in_flight: '0' })
    await payouts.earn(1)
    await pass(dayMs)
    expect(await made()).toMatchObject([{ amount: '10 USDC' }, { amount: '15 USDC' }])
  })

  it('a schedule catches up with one payout after days of downtime', async () => {
    await payouts.earn(2)
    await set({ type: 'daily' })
    front.network.wait(5 * dayMs)
    await front.step()
    await pass(1000)
    expect(await made()).toHaveLength(1)
  })

  it('a schedule makes one payout when two workers run it at once', async () => {
    await payouts.earn(2)
    await set({ type: 'daily' })
    const second = await openPlatform(front.network, front.folder.path)
    front.network.wait(dayMs)
    await Promise.all([front.worker.step(), second.worker.step()])
    front.network.wait(1000)
    await Promise.all([front.worker.step(), second.worker.step()])
    await second.close()
    expect(await made()).toHaveLength(1)
  })

  it('a threshold schedule pays on the hour once its threshold is reached', async () => {
    await payouts.earn(1)
    await set({ type: 'threshold', threshold: units(15) })
    await pass(hourMs)
    expect(await made()).toEqual([])
    await payouts.earn(1)
    await pass(60_000)
    expect(await made()).toEqual([])
    await pass(hourMs)
    expect(await made()).toMatchObject([{ amount: '15 USDC' }])
  })

  it('a weekly schedule pays on its day of the week', async () => {
    await payouts.earn(1)
    // The network begins on a Sunday.
    expect(await set({ type: 'weekly', weekday: 'tuesday' })).toMatchObject({
      weekly_anchor: 'tuesday',
      next_payout_at: '2026-11-03T00:00:00.000Z',
    })
    await pass(dayMs)
    expect(await made()).toEqual([])
    await pass(dayMs)
    expect(await made()).toMatchObject([{ amount: '5 USDC' }])
  })

  it('a schedule keeps its reserve for refunds, and a payout waits when a refund overtakes it', async () => {
    const refunds = refundsIn(front)
    const payment = await refunds.paid(10)
    await payouts.earn(1)
    await set({ type: 'daily' })
    front.network.wait(dayMs)
    // Released by nobody yet: the network loses what is sent, and the refund is claimed before the worker comes to it.
    await done(refunds.request(payment))
    await front.step()
    await pass(1000)
    await pass(1000)
    expect(await made()).toMatchObject([{ amount: '5 USDC', status: 'succeeded' }])
    expect(await payouts.balance()).toMatchObject({ ledger: '5', held: '0' })
  })

  it('a schedule whose destination is removed pays nothing until it is set again', async () => {
    await payouts.earn(2)
    const { destination } = await set({ type: 'daily' })
    await done(front.billing.payouts.destinations.remove(payouts.now(), destination))
    await pass(dayMs)
    expect(await made()).toEqual([])
    await set({ type: 'daily' }, stroops(0n))
    await pass(dayMs)
    expect(await made()).toMatchObject([{ amount: '20 USDC' }])
  })

  it('a schedule is listed until it is removed, and rejects unregistered destinations', async () => {
    const shown = await set({ type: 'daily' })
    const { schedules } = front.billing.payouts
    expect(await schedules.list(front.scope)()).toEqual([shown])
    await done(schedules.remove(payouts.now(), front.network.usdc.assetId))
    expect(await schedules.list(front.scope)()).toEqual([])
    expect(await refused(schedules.remove(payouts.now(), front.network.eurc.assetId))).toEqual({
      _tag: 'PayoutScheduleNotFound',
    })
    const wanted = { assetId: front.network.usdc.assetId, interval: { type: 'daily' as const }, reserve: units(0) }
    expect(await refused(schedules.set(payouts.now(), { ...wanted, destination: 'pdst_nobody' }))).toEqual({
      _tag: 'PayoutDestinationNotFound',
    })
  })
})
