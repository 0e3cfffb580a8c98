import type { SubscriptionId } from '@quittance/domain'
import { done } from '../testing/outcomes.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { type Subscribers, subscribersOf } from '../testing/subscribers.ts'
import { units } from '../testing/wallets.ts'
import { carrySubscriptions } from './carry.ts'

describe('subscriptions that are due', () => {
  let front: StoreFront
  let people: Subscribers
  const ids: Array<SubscriptionId> = []
  beforeAll(async () => {
    front = await openStoreFront()
    people = await subscribersOf(front)
    const wallet = await front.wallets.wallet(3)
    for (let number = 0; number < 3; number++)
      ids.push(await people.subscribe(wallet, { allowance: units(5_000 + 100 * number) }))
    await front.step()
    people.sleepADay()
  })
  afterAll(() => front.close())

  const attempts = async () =>
    (await Promise.all(ids.map(people.now))).map((state) => state.attempts.map(({ status }) => status))
  const carry = async (most: number) => {
    const walked = await done(front.network.gateway.latestLedger())
    await done(carrySubscriptions({ services: front.services, walked }, most)('testnet'))
  }

  it('are moved so many at a time, those that are due the longest first, and the others stay due', async () => {
    expect(await attempts()).toEqual([[], [], []])
    await carry(2)
    expect(await attempts()).toEqual([['under_way'], ['under_way'], []])
    await carry(2)
    expect(await attempts()).toEqual([['under_way'], ['under_way'], ['under_way']])
  })
})
