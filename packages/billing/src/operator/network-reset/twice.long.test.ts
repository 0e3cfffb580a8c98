import { asText } from '@quittance/domain'
import { heldUpAt } from '../../testing/failing-stores.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'

const ada = { by: asText('Ada'), reason: asText('the quarterly reset'), isForced: false }

describe('a reset that two processes carry out', () => {
  let front: StoreFront & { readonly close: () => Promise<void> }
  beforeEach(async () => {
    front = await openStoreFront({})
  })
  afterEach(() => front.close())

  const ledgers = async (count: number): Promise<void> => {
    for (let passed = 0; passed < count; passed++) {
      await front.step()
      front.network.wait(5_000)
    }
    await front.step()
  }

  /** What a reset that is completed by `front` leaves, and what is sold and paid out on the new ledger after it. */
  const completed = async () => {
    const payouts = payoutsIn(front)
    const reset = await done(front.billing.networkResets.reset('testnet', ada))
    await ledgers(4)
    await front.wallets.wallet(1)
    await ledgers(3)
    await payouts.earn(3)
    const checkout = (await front.sell()).id
    const wallet = await front.wallets.wallet(1)
    const payout = (await done(payouts.request(await payouts.destination(wallet)))).id
    await front.step()
    return { reset, checkout, payout }
  }
  /** Has a process carry the reset out, held up while another one completes it and the shop goes on. */
  const endsNothing = async (
    slowOne: (meanwhile: () => Promise<void>) => Promise<TestPlatform>,
    isForced: boolean,
  ): Promise<void> => {
    const payouts = payoutsIn(front)
    for (let sold = 0; sold < 3; sold++) await front.sell()
    await ledgers(3)
    front.network.startAnew()
    await refused(front.worker.step)
    let fresh: Awaited<ReturnType<typeof completed>> | null = null
    const slow = await slowOne(async () => {
      fresh = await completed()
    })
    const answered = await done(slow.billing.networkResets.reset('testnet', { ...ada, isForced }))
    await slow.close()
    const { reset, checkout, payout } = present(fresh as Awaited<ReturnType<typeof completed>> | null)
    expect(answered).toEqual(reset)
    expect((await front.checkout(checkout)).status).toBe('open')
    expect((await payouts.ended({ id: payout })).status).toBe('succeeded')
    expect(present(await done(front.services.cursors.of('testnet').load())).hash).not.toBeNull()
    await ledgers(2)
    const paid = await payouts.intentsOf(payout)
    expect(paid.map(({ status }) => status)).toEqual(['reported'])
    expect((await payouts.balance()).available).toBe('20')
    expect((await done(front.billing.networkResets.standing('testnet'))).done).toHaveLength(1)
  }

  it.each([1, 2, 3, 4])('lets the slower one end nothing of the new epoch, held up at its append %d', (append) =>
    endsNothing((meanwhile) => openPlatform(front.network, front.folder.path, heldUpAt(append, meanwhile)), false),
  )

  it('lets one that is held up before its first event begin no other reset, nor by force', () =>
    endsNothing(async (meanwhile) => {
      let isHeldUp = false
      const seen = front.network.seen()
      const latestLedger: typeof seen.gateway.latestLedger = () => async () => {
        if (!isHeldUp) {
          isHeldUp = true
          await meanwhile()
        }
        return seen.gateway.latestLedger()()
      }
      const held = { ...seen, gateway: { ...seen.gateway, latestLedger } }
      return openPlatform({ ...front.network, seen: () => held }, front.folder.path)
    }, true))
})
