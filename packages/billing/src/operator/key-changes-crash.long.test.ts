import { AccountId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import { dyingAfter, heldUpAt } from '../testing/failing-stores.ts'
import { done, present } from '../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../testing/platform.ts'
import { refundsIn, survived } from '../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { provenLog } from '../testing/stores.ts'
import { units } from '../testing/wallets.ts'

const mostAppends = 60
const testnet = 'testnet' as const
type Payment = { readonly id: string }
type Work = (on: TestPlatform) => Promise<unknown>

describe('a process that dies while the key of an account changes', () => {
  let front: StoreFront
  const recovery = Keypair.random()
  const signer = decoded(AccountId, recovery.publicKey())
  beforeEach(async () => {
    front = await openStoreFront()
    const funding = Operation.createAccount({ destination: signer, startingBalance: '500' })
    front.wallets.act(front.payer.secret, [funding])
  })
  afterEach(() => front.close())
  const holder = () => ({ _tag: 'settlement' as const, merchantId: front.merchantId })
  const steps = async (ledgers: number, on: TestPlatform = front.platform): Promise<void> => {
    for (let count = 0; count < ledgers; count++) {
      await done(on.worker.step)
      front.network.wait(5_000)
    }
  }
  const pass = async (ledgers: number): Promise<void> => {
    await steps(ledgers)
    await front.step()
  }
  const held = async () => {
    const holding = { account: front.payer.account, assetId: front.network.usdc.assetId }
    return BigInt((await done(front.network.gateway.balances([holding])))[0]?.held ?? 0n)
  }
  const shown = async () => present((await done(front.billing.accountKeys.show(testnet, holder())))[0])
  /** The keys with weight, in whatever order. */
  const weighed = async () =>
    (await shown()).keys
      .filter(({ weight }) => weight > 0)
      .map(({ key }) => key)
      .toSorted()
  const rotations = async () =>
    (await (await front.platform.shown()).intents.withKey(front.account)).filter(
      ({ row }) => row.details.action._tag === 'rotate_key',
    ).length
  const isRefunded = async (payment: Payment) => (await refundsIn(front).paymentNow(payment)).refunded

  /** A change of keys and a refund by one process, while ledgers close. */
  const live = async (on: TestPlatform, work: Work, payment: Payment): Promise<void> => {
    await work(on)
    await done(refundsIn({ ...front, billing: on.billing, platform: on }).request(payment))
    await steps(4, on)
  }
  /** The payment is refunded once. */
  const refundEnds = async (payment: Payment, before: bigint): Promise<void> => {
    // What the earlier key has signed is signed again once no ledger takes it any more.
    if (!(await isRefunded(payment))) {
      front.network.wait(130_000)
      await pass(4)
    }
    expect(await isRefunded(payment)).toBe(true)
    expect((await held()) - before).toBe(units(10))
  }
  /** The process dies at each append in turn; a person runs the command again. */
  const dyingAtEach = async (
    next: (deaths: number) => Promise<{ readonly work: Work; readonly again?: Work }>,
    ended: (deaths: number) => Promise<void>,
  ): Promise<number> => {
    let deaths = 0
    for (let isAlive = false; !isAlive && deaths < mostAppends; deaths++) {
      const payment = await refundsIn(front).paid()
      const before = await held()
      const { work, again = work } = await next(deaths)
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      isAlive = await survived(live(dying, work, payment))
      await dying.close()
      await front.platform.shown()
      await again(front.platform)
      if (!(await isRefunded(payment))) await refundsIn(front).request(payment)()
      await pass(5)
      await ended(deaths)
      await refundEnds(payment, before)
    }
    expect(deaths).toBeGreaterThan(8)
    expect(deaths).toBeLessThan(mostAppends)
    expect(await provenLog(front.folder.path)).toMatchObject({ ok: true })
    return deaths
  }

  it('goes on with the key that has weight, and rotates once, after its death at any append', async () => {
    await dyingAtEach(
      async (deaths) => ({
        work: (on) => done(on.billing.accountKeys.rotate(testnet, holder())),
        // Where it did not get as far as to record the rotation.
        again: async (on) => {
          if ((await rotations()) === deaths) await done(on.billing.accountKeys.rotate(testnet, holder()))
        },
      }),
      async (deaths) => {
        expect(await shown()).toMatchObject({ isProven: true })
        expect(await weighed()).toHaveLength(1)
        // A key for each rotation, whatever died.
        expect(await rotations()).toBe(deaths + 1)
        expect(await front.services.vault.keysNamed('rotated/')).toHaveLength(deaths + 1)
      },
    )
  })

  it('rotates once while another process works before any of its appends', async () => {
    let appends = 1
    for (let isHeldUp = true; isHeldUp && appends < mostAppends; appends++) {
      const payment = await refundsIn(front).paid()
      const before = await held()
      isHeldUp = false
      const meanwhile = async () => {
        isHeldUp = true
        await pass(2)
      }
      const stalled = await openPlatform(front.network, front.folder.path, heldUpAt(appends, meanwhile))
      await live(stalled, (on) => done(on.billing.accountKeys.rotate(testnet, holder())), payment)
      await stalled.close()
      await pass(4)
      expect(await shown()).toMatchObject({ isProven: true })
      expect(await weighed()).toHaveLength(1)
      await refundEnds(payment, before)
    }
    expect(appends).toBeGreaterThan(8)
    expect(await provenLog(front.folder.path)).toMatchObject({ ok: true })
  })

  it('leaves one recovery signer, the last one that was wanted, after its death at any append', async () => {
    let wanted = signer
    await dyingAtEach(
      async () => {
        wanted = decoded(AccountId, Keypair.random().publicKey())
        const order = { signer: wanted, isProtected: false }
        return { work: (on) => done(on.billing.accountRecovery.set(testnet, holder(), order)) }
      },
      async () => {
        const { keys, recovery: standing } = await shown()
        expect(standing).toEqual({ signer: wanted, status: 'done', weight: 1, keepsSigners: false })
        expect(keys.map(({ key, weight }) => [key, weight])).toEqual([
          [front.account, 1],
          [wanted, 1],
        ])
      },
    )
  })

  /** The next key of the account, and what the recovery key has signed for it. */
  const signedOffline = async () => {
    const [prepared] = await done(front.billing.accountRecovery.prepare(testnet, holder(), { signer, days: 1 }))
    const { to, envelopeXdr } = present(prepared)
    const transaction = TransactionBuilder.fromXdr(envelopeXdr, front.network.gateway.networkPassphrase)
    transaction.sign(recovery)
    const signed = transaction.toXdr()
    return {
      to,
      signed,
      submit: (on: TestPlatform) => done(on.billing.accountRecovery.submit(testnet, holder(), [signed])),
    }
  }
  const setRecovery = async (isProtected: boolean) => {
    await done(front.billing.accountRecovery.set(testnet, holder(), { signer, isProtected }))
    await pass(3)
  }

  it('gives the account the key that the recovery key has signed, once, after its death at any append', async () => {
    await setRecovery(true)
    let to = front.account
    const deaths = await dyingAtEach(
      async () => {
        const next = await signedOffline()
        to = next.to
        return { work: next.submit }
      },
      async () => {
        expect(await shown()).toMatchObject({ signs: to, isProven: true, recovery: { keepsSigners: true } })
        expect(await weighed()).toEqual([to, signer].toSorted())
      },
    )
    expect(await front.services.vault.keysNamed('recovered/')).toHaveLength(deaths)
  })

  it('settles what was sent past the log, and rotates from there, after its death at any append', async () => {
    await setRecovery(false)
    await dyingAtEach(
      async () => {
        const { to, signed, submit } = await signedOffline()
        await done(front.network.gateway.submit(signed))
        front.network.wait(5_000)
        const rotate = (on: TestPlatform) => done(on.billing.accountKeys.rotate(testnet, holder()))
        return {
          work: async (on) => {
            await submit(on)
            await steps(2, on)
            expect(await shown()).toMatchObject({ signs: to, isProven: true })
            await rotate(on)
          },
          again: async (on) => {
            await submit(on)
            await steps(2, on)
            await rotate(on)
          },
        }
      },
      async () => {
        const { signs, isProven, recovery: standing } = await shown()
        expect({ isProven, standing: standing?.weight }).toEqual({ isProven: true, standing: 1 })
        expect(await weighed()).toEqual([present(signs), signer].toSorted())
        expect((await front.services.vault.keysNamed('rotated/')).length).toBeGreaterThan(0)
      },
    )
  })
})
