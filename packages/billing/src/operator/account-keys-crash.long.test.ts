import { dyingAfter, heldUpAt } from '../testing/failing-stores.ts'
import { done, present } from '../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../testing/platform.ts'
import { refundsIn, survived } from '../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { provenLog } from '../testing/stores.ts'
import { units } from '../testing/wallets.ts'

const mostAppends = 60

describe('a process that dies while the key of an account is rotated', () => {
  let front: StoreFront
  beforeAll(async () => {
    front = await openStoreFront()
  })
  afterAll(() => front.close())
  const holder = () => ({ _tag: 'settlement' as const, merchantId: front.merchantId })
  const pass = async (ledgers: number): Promise<void> => {
    for (let count = 0; count < ledgers; count++) {
      await front.step()
      front.network.wait(5_000)
    }
    await front.step()
  }
  const held = async () => {
    const holding = { account: front.payer.account, assetId: front.network.usdc.assetId }
    return BigInt((await done(front.network.gateway.balances([holding])))[0]?.held ?? 0n)
  }
  /** A rotation and a refund by one process, while ledgers close. */
  const live = async (on: TestPlatform, payment: { readonly id: string }): Promise<void> => {
    const refunds = refundsIn({ ...front, billing: on.billing, platform: on })
    await done(on.billing.accountKeys.rotate('testnet', holder()))
    await done(refunds.request(payment))
    for (let ledgers = 0; ledgers < 4; ledgers++) {
      await done(on.worker.step)
      front.network.wait(5_000)
    }
  }
  /** The rotation is proven, the payment is refunded once, and every earlier key of the vault has no weight. */
  const ended = async (payment: { readonly id: string }, before: bigint): Promise<void> => {
    const [keys] = await done(front.billing.accountKeys.show('testnet', holder()))
    expect(keys).toMatchObject({ isProven: true })
    expect(present(keys).keys.filter(({ weight }) => weight > 0)).toHaveLength(1)
    expect(await refundsIn(front).paymentNow(payment)).toMatchObject({ refunded: true })
    expect((await held()) - before).toBe(units(10))
  }

  it('goes on with the key that has weight, and rotates once, after its death at any append', async () => {
    let deaths = 0
    for (; deaths < mostAppends; deaths++) {
      const payment = await refundsIn(front).paid()
      const before = await held()
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      const isAlive = await survived(live(dying, payment))
      await dying.close()
      const [shown] = await done(front.billing.accountKeys.show('testnet', holder()))
      const { rotations } = await counted()
      // A person runs the command again where it did not get as far as to record the rotation.
      if (rotations === deaths) await done(front.billing.accountKeys.rotate('testnet', holder()))
      else expect(present(shown).rotation).not.toBeNull()
      if (!(await refundsIn(front).paymentNow(payment)).refunded) await refundsIn(front).request(payment)()
      await pass(5)
      await ended(payment, before)
      // A key for each rotation, whatever died.
      expect(await counted()).toEqual({ rotations: deaths + 1, keys: deaths + 1 })
      if (isAlive) break
    }
    expect(deaths).toBeGreaterThan(8)
    expect(deaths).toBeLessThan(mostAppends)
    expect(await provenLog(front.folder.path)).toMatchObject({ ok: true })
  }, 600_000)

  const counted = async () => ({
    rotations: (await front.platform.shown()).intents.withKey(front.account).length,
    keys: front.services.vault.keysNamed('rotated/').length,
  })

  it('rotates once while another process works before any of its appends', async () => {
    let appends = 1
    for (let isHeldUp = true; isHeldUp && appends < mostAppends; appends++) {
      const payment = await refundsIn(front).paid()
      const before = await held()
      isHeldUp = false
      const stalled = await openPlatform(
        front.network,
        front.folder.path,
        heldUpAt(appends, async () => {
          isHeldUp = true
          await pass(2)
        }),
      )
      await live(stalled, payment)
      await stalled.close()
      await pass(4)
      await ended(payment, before)
    }
    expect(appends).toBeGreaterThan(8)
    expect(await provenLog(front.folder.path)).toMatchObject({ ok: true })
  }, 600_000)
})
