import { cents } from '@quittance/domain'
import { acceptLog } from '../../testing/accept-log.ts'
import { done } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { backUp, restore } from '../../testing/restored.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let front: StoreFront
beforeEach(async () => {
  front = await openStoreFront()
})
afterEach(() => front.close())

const by = (actor: string) => command(front.platform, front.merchantId, { actor })
const limit = (dollars: number, scope: 'merchant' | 'each_key' = 'merchant') => {
  const amount = cents(BigInt(dollars) * 100n)
  return done(front.billing.limits.set(by('key_a'), { setter: 'merchant', scope, amount }))
}
const limits = () => done(front.billing.limits.retrieve(front.scope))
const pass = async (ledgers = 4): Promise<void> => {
  for (let count = 0; count < ledgers; count++) {
    await front.step()
    front.network.wait(5_000)
  }
  await front.step()
}
const goBackTo = async (backup: ReturnType<typeof backUp>): Promise<void> => {
  front = await restore(front, backup, 'lost')
  await pass(1)
  await acceptLog(front)
  await pass()
}
const take = (destination: string, amount: number) =>
  done(payoutsIn(front).request(destination, { amount: units(amount) }, by('key_a')))

describe('the limits of a restored log', () => {
  it.each(['merchant', 'each_key'] as const)(
    'of %s count what the ledger holds and the log has forgotten',
    async (of) => {
      await payoutsIn(front).earn(5)
      const payment = await refundsIn(front).paid(10, undefined, front.other)
      const destination = await payoutsIn(front).destination(front.other)
      await limit(25, of)
      const backup = backUp(front)
      await done(refundsIn(front).request(payment, {}, by('key_a')))
      await payoutsIn(front).ended(await take(destination, 15))
      const before = await payoutsIn(front).holds(front.other.account)

      await goBackTo(backup)
      expect(await limits()).toMatchObject({ used_24h: '25' })
      expect((await take(destination, 1)).approval_id).toMatch(/^apr_/)
      await pass()
      expect((await payoutsIn(front).holds(front.other.account)) - before).toBe(0n)
      front.network.wait(dayMs)
      await front.step()
      expect(await limits()).toMatchObject({ used_24h: '0' })
      expect((await take(destination, 25)).approval_id).toBeNull()
    },
  )

  it('wait again before a raise, since the log may have lost that it was taken back', async () => {
    await payoutsIn(front).earn(3)
    const destination = await payoutsIn(front).destination(front.other)
    await limit(10)
    await limit(1_000)
    const backup = backUp(front)
    await limit(10)
    await payoutsIn(front).ended(await take(destination, 10))
    front.network.wait(23 * hourMs)
    await front.step()

    await goBackTo(backup)
    front.network.wait(20 * hourMs)
    await front.step()
    expect(await limits()).toMatchObject({ limits: [{ amount: '10', next_amount: '1000' }] })
    expect((await take(destination, 20)).approval_id).toMatch(/^apr_/)
    front.network.wait(4 * hourMs)
    expect(await limits()).toMatchObject({ limits: [{ amount: '1000', next_amount: null }] })
  })

  it('have what waits for an approval go on waiting, if the log has lost the rejection', async () => {
    await payoutsIn(front).earn(3)
    const destination = await payoutsIn(front).destination(front.other)
    await limit(15)
    const payout = await take(destination, 20)
    const backup = backUp(front)
    await done(front.billing.approvals.reject(by('key_b'), payout.approval_id ?? '', null))
    await payoutsIn(front).ended(await take(destination, 10))

    await goBackTo(backup)
    await pass()
    expect(await payoutsIn(front).payoutNow(payout)).toMatchObject({
      status: 'pending',
      approval_id: payout.approval_id,
    })
  })

  it('settle what was approved and paid, although the log has lost the approval', async () => {
    await payoutsIn(front).earn(3)
    const destination = await payoutsIn(front).destination(front.other)
    await limit(15)
    const payout = await take(destination, 20)
    const backup = backUp(front)
    await done(front.billing.approvals.approve(by('key_b'), payout.approval_id ?? '', null))
    await payoutsIn(front).ended(payout)
    const before = await payoutsIn(front).holds(front.other.account)

    await goBackTo(backup)
    await pass()
    expect(await payoutsIn(front).payoutNow(payout)).toMatchObject({ status: 'succeeded', approval_id: null })
    expect(await done(front.billing.approvals.retrieve(front.scope, payout.approval_id ?? ''))).toMatchObject({
      status: 'withdrawn',
    })
    expect((await payoutsIn(front).holds(front.other.account)) - before).toBe(0n)
  })
})
