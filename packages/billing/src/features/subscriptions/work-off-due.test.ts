import type { SubscriptionId } from '@quittance/domain'
import { done, present } from '../../testing/outcomes.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { type Subscribers, subscribersOf } from '../../testing/subscribers.ts'
import { units } from '../../testing/wallets.ts'
import { createWorker } from '../../worker/worker.ts'
import { workOffSubscriptions } from './work-off-due.ts'

describe('subscriptions that are due', () => {
  let front: StoreFront
  let people: Subscribers
  beforeEach(async () => {
    front = await openStoreFront()
    people = await subscribersOf(front)
  })
  afterEach(() => front.close())

  /** Three people with a wallet in common, whose trials are over. */
  const threeDue = async (seed: number): Promise<ReadonlyArray<SubscriptionId>> => {
    const wallet = await front.wallets.wallet(seed)
    const ids: Array<SubscriptionId> = []
    for (let number = 0; number < 3; number++)
      ids.push(await people.subscribe(wallet, { allowance: units(5_000 + 100 * number) }))
    await front.step()
    people.sleepADay()
    return ids
  }
  const attempts = async (ids: ReadonlyArray<SubscriptionId>) =>
    (await Promise.all(ids.map(people.now))).map((state) => state.attempts.map(({ status }) => status))

  it('works off a limited number of due subscriptions per step, the longest due first, and leaves the others due', async () => {
    const carry = async (most: number) => {
      const ingested = await done(front.network.gateway.latestLedger())
      return done(() => workOffSubscriptions({ services: front.services, ingested }, most, 'testnet'))
    }
    const ids = await threeDue(3)
    expect(await attempts(ids)).toEqual([[], [], []])
    expect(await carry(2)).toBe(true)
    expect(await attempts(ids)).toEqual([['under_way'], ['under_way'], []])
    expect(await carry(2)).toBe(false)
    expect(await attempts(ids)).toEqual([['under_way'], ['under_way'], ['under_way']])
  })

  it('schedules the next step at once while due subscriptions are left over', async () => {
    const worker = present(createWorker(front.services, 'testnet', () => undefined, { mostMoved: 1 }))
    const ids = await threeDue(3)
    const { closedAt } = await done(front.network.gateway.latestLedger())
    await done(worker.step)
    expect(await attempts(ids)).toEqual([['under_way'], ['under_way'], []])
    expect(await worker.nextDue()).toBe(closedAt)
    await done(worker.step)
    expect(await attempts(ids)).toEqual([['under_way'], ['under_way'], ['under_way']])
    expect(await worker.nextDue()).toBeGreaterThan(closedAt)
  })
})
