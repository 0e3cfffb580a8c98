import { asText, ExceptionId, endOf, type IntentId } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import { done, present } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openNextDoor, openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { recordIntent } from './record-intent.ts'

let numbered = 0
/** Wants 1 XLM each back to a payer, and answers the intents' ids. */
const want = async ({ services, scope, account, payer, network }: StoreFront, howMany: number) => {
  const ids: Array<IntentId> = []
  for (let count = 0; count < howMany; count++) {
    numbered += 1
    const owner = asText(exampleId(ExceptionId, numbered))
    const { assetId } = network.xlm
    const action = { _tag: 'payment' as const, destination: payer.account, assetId, amount: units(1) }
    const details = { class: 'return' as const, owner, source: account, action, memo: null }
    ids.push(await done(recordIntent(services, scope, { ...details, at: services.clock.now('testnet') })))
  }
  return ids
}

describe('merchants with waiting intents', () => {
  let [crowd, one, other]: ReadonlyArray<StoreFront> = []
  beforeAll(async () => {
    crowd = await openStoreFront()
    one = await openNextDoor(crowd)
    other = await openNextDoor(crowd)
  })
  afterAll(() => crowd?.close())

  it('serves merchants in turn on two channels, however many intents one of them has', async () => {
    const shop = present(crowd)
    // Seven transactions' worth, and then one each.
    const many = await want(shop, 700)
    shop.network.wait(1_000)
    const few = [...(await want(present(one), 1)), ...(await want(present(other), 1))]
    const settledAfter = new Map<string, number>()
    for (let ledgers = 1; settledAfter.size < 702 && ledgers <= 10; ledgers++) {
      await shop.step()
      shop.network.wait(1_000)
      await shop.step()
      const { intents } = await shop.platform.shown()
      for (const id of [...many, ...few])
        if (!settledAfter.has(id) && endOf(present(await intents.withId(id)).row) !== null)
          settledAfter.set(id, ledgers)
    }
    expect(few.map((id) => settledAfter.get(id))).toEqual([1, 2])
    expect(Math.max(...many.map((id) => settledAfter.get(id) ?? Number.POSITIVE_INFINITY))).toBe(5)
  }, 60_000)

  it('pays out in every other turn, however many returns of any merchant wait', async () => {
    const [shop, next] = [present(crowd), present(one)]
    const [own, nextDoor] = [payoutsIn(shop), payoutsIn(next)]
    await own.earn()
    await nextDoor.earn()
    const destinations = [await own.destination(), await nextDoor.destination()]
    await want(shop, 900)
    const payouts = [
      await done(own.request(present(destinations[0]))),
      await done(nextDoor.request(present(destinations[1]))),
    ]
    const settledAfter = new Map<string, number>()
    let returnsLeft = 0
    for (let ledgers = 1; settledAfter.size < 2 && ledgers <= 10; ledgers++) {
      await shop.step()
      shop.network.wait(1_000)
      await shop.step()
      const { intents } = await shop.platform.shown()
      for (const { id } of payouts)
        if ((await intents.withKey(id)).every(({ row }) => endOf(row) !== null) && !settledAfter.has(id))
          settledAfter.set(id, ledgers)
      returnsLeft = (await Array.fromAsync(intents.ofStatus(shop.scope, 'waiting'))).length
    }
    expect(Math.max(...payouts.map(({ id }) => settledAfter.get(id) ?? Number.POSITIVE_INFINITY))).toBeLessThanOrEqual(
      4,
    )
    expect(returnsLeft).toBeGreaterThan(0)
  }, 60_000)
})
