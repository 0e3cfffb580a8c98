import { count, dayMs } from '@quittance/domain'
import { createBilling } from '../../face/billing.ts'
import type { Services } from '../../services/services.ts'
import { type Club, openClub } from '../../testing/club.ts'
import { dyingAfterCalls } from '../../testing/dying-ports.ts'
import { ProcessDied } from '../../testing/failing-stores.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { survived } from '../../testing/refunds.ts'
import { command, someone } from '../../testing/shop.ts'
import { provenLog } from '../../testing/stores.ts'
import { createWorker } from '../../worker/worker.ts'

const mostCalls = 60

describe('a process that dies while it erases a customer', () => {
  let club: Club
  beforeEach(async () => {
    club = await openClub()
  })
  afterEach(() => club.close())

  const context = () => command(club.platform, club.merchantId)
  /** A customer with two subscriptions. */
  const subscribed = async (number: number) => {
    const [made] = await done(club.billing.customers.createAll(context(), [someone(`e${number}@crash.example`)]))
    const { id } = present(made)
    const wallet = await club.wallets.wallet(200 + number)
    const subscriptions: Array<string> = []
    for (const _ of [1, 2]) {
      const checkout = await club.joinAs(await club.club({ trialDays: count(0) }), id)
      await club.enrol(checkout, wallet)
      await club.pass()
      subscriptions.push(present((await club.checkout(checkout)).subscription_id))
    }
    return { id, wallet, subscriptions }
  }
  const dyingAfter = (calls: number): Services => {
    const { services } = club
    const dying = dyingAfterCalls(calls)
    const { append } = dying({ append: services.store.append })
    const { erase } = dying({ erase: services.vault.erase })
    return { ...services, store: { ...services.store, append }, vault: { ...services.vault, erase } }
  }
  /** A worker that has just been started sweeps. */
  const sweep = async () => {
    await done(present(createWorker(club.services, 'testnet', () => undefined)).step)
  }

  it('has erased the customer altogether, and charges nothing any more, once a worker starts', async () => {
    let deaths = 0
    for (let isAlive = false; !isAlive && deaths < mostCalls; deaths++) {
      const { id, subscriptions } = await subscribed(deaths)
      const remove = createBilling(dyingAfter(deaths + 1)).customers.remove
      const request = context()
      isAlive = await survived(done(remove(request, id)))
      await sweep()
      const { events } = await done(club.platform.log.readStream(`customer-${id}`))
      const isDeleted = events.some(({ type }) => type === 'CustomerDeleted')
      // What had not got as far as the deletion is asked for again.
      if (!isDeleted) await done(club.billing.customers.remove(request, id))
      expect(await club.services.vault.erased()).toContain(id)
      expect(await refused(club.billing.customers.retrieve(club.scope, id))).toEqual({ _tag: 'CustomerNotFound' })
      for (const each of subscriptions) expect(await club.subscription(each)).toMatchObject({ status: 'canceled' })
    }
    expect(deaths).toBeGreaterThan(3)
    expect(deaths).toBeLessThan(mostCalls)
    const before = (await (await club.platform.shown()).payments.all()).length
    await club.pass(40 * dayMs)
    for (let ledger = 0; ledger < 6; ledger++) await club.pass()
    expect(await (await club.platform.shown()).payments.all()).toHaveLength(before)
    expect(await provenLog(club.folder.path)).toMatchObject({ ok: true })
  })

  it('cancels what the customer joined while they were deleted, though the process died at once', async () => {
    const { id, wallet } = await subscribed(0)
    const checkout = await club.joinAs(await club.club({ trialDays: count(0) }), id)
    const { services } = club
    const append: Services['store']['append'] = (stream, head, events, alongside) => async () => {
      const isDeletion = events.some(({ type }) => type === 'CustomerDeleted')
      if (isDeletion) await club.enrol(checkout, wallet)
      const appended = await services.store.append(stream, head, events, alongside)()
      if (isDeletion) throw new ProcessDied()
      return appended
    }
    const dying = createBilling({ ...services, store: { ...services.store, append } })
    await survived(done(dying.customers.remove(context(), id)))
    await club.pass()
    const joined = present((await club.checkout(checkout)).subscription_id)
    await sweep()
    expect(await club.subscription(joined)).toMatchObject({ status: 'canceled' })
  }, 60_000)

  it('cancels what a wallet signs after the deletion', async () => {
    const { id, wallet } = await subscribed(0)
    const checkout = await club.joinAs(await club.club({ trialDays: count(0) }), id)
    const { transaction_xdr } = await club.offered(checkout, wallet)
    await done(club.billing.customers.remove(context(), id))
    await done(club.network.gateway.submit(wallet.sign(transaction_xdr)))
    await club.pass()
    await club.pass()
    const { subscription_id } = await club.checkout(checkout)
    expect(await club.subscription(present(subscription_id))).toMatchObject({ status: 'canceled' })
  }, 60_000)
})
