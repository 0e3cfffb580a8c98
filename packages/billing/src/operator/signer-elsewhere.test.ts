import { type AccountId, asText, dayMs } from '@quittance/domain'
import { rowsOf } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { filterInTurn } from '../kernel/checks-in-turn.ts'
import { guardedSigner, type Patience } from '../stores/signing/guarded-signer.ts'
import { remoteSigner } from '../stores/signing/remote-signer.ts'
import { runBeside } from '../testing/kept.ts'
import { startKms } from '../testing/kms.ts'
import { startNetwork, type TestNetwork } from '../testing/network.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { payoutsIn } from '../testing/payouts.ts'
import { openPlatform, temporaryFolder } from '../testing/platform.ts'
import { refundsIn } from '../testing/refunds.ts'
import { openShop } from '../testing/shop.ts'
import { openNextDoor, type StoreFront, shopOn } from '../testing/store-front.ts'
import type { TestStore } from '../testing/stores.ts'
import { subscribersOf } from '../testing/subscribers.ts'
import { walletsOn } from '../testing/wallets.ts'
import { destinationOf } from './leaving/sealed-file.ts'

/** A shop whose keys are all in a KMS, which is another process. */
const openWithKms = async (patience?: Patience, kind?: TestStore) => {
  const kms = startKms()
  const started = await startNetwork()
  const friendbot = (address: AccountId) => async () => {
    const funded = await started.sandbox.fund({ address })()
    return E.isLeft(funded)
      ? E.left({ _tag: 'FriendbotFailed' as const, reason: funded.left.code })
      : E.right(undefined)
  }
  const network: TestNetwork = {
    ...started,
    seen: () => ({ ...started.seen(), friendbot }),
    signer: guardedSigner(remoteSigner(kms.keys, 'shop'), patience),
  }
  const folder = temporaryFolder()
  const platform = await openPlatform(network, folder.path, undefined, kind)
  const merchantId = await openShop(platform)
  await done(platform.billing.operator.create('testnet'))
  await done(platform.billing.channels.create('testnet', 2))
  const wallets = walletsOn(network)
  const [payer, other] = [await wallets.wallet(1), await wallets.wallet(2)]
  const step = (): Promise<void> => done(platform.worker.step)
  const front: StoreFront = {
    ...(await shopOn({ network, folder, platform, wallets, payer, other, step }, merchantId)),
    close: async () => {
      await platform.close()
      await network.close()
      await kms.close()
      folder.remove()
    },
  }
  const pass = async (ledgers = 3, ms = 5_000): Promise<void> => {
    for (let left = ledgers; left > 0; left--) {
      network.wait(ms)
      await step()
    }
  }
  await pass(30)
  return { kms, front, pass }
}

describe('an installation whose keys a KMS holds', () => {
  let shop: Awaited<ReturnType<typeof openWithKms>>
  beforeAll(async () => {
    shop = await openWithKms()
  }, 60_000)
  afterAll(() => shop.front.close())

  /** The rows of the vault in which a secret of an account could be. */
  const seeds = (): Promise<unknown> =>
    runBeside(shop.front.folder.path, 'vault', rowsOf("SELECT name FROM vault WHERE name LIKE 'secret/%'"))

  it('sells, refunds, renews, pays out and rotates, and no seed is in its process or its vault', async () => {
    const { front, pass, kms } = shop
    const { billing, services, account } = front
    const refunds = refundsIn(front)
    const payouts = payoutsIn(front)

    const payment = await refunds.paid()
    const refund = await refunds.ended(await done(refunds.request(payment)))
    expect(refund.status).toBe('succeeded')

    const subscribers = await subscribersOf(front)
    const subscription = await subscribers.subscribe(await front.wallets.wallet(3))
    await pass(6, dayMs / 4)
    await pass()
    const renewed = present((await subscribers.now(subscription)).attempts.at(0))
    expect(await subscribers.payment(renewed.paymentId)).toMatchObject({ status: 'confirmed' })

    await payouts.earn()
    const payout = await payouts.ended(await done(payouts.request(await payouts.destination())))
    expect(payout.status).toBe('succeeded')

    const of = { _tag: 'settlement' as const, merchantId: front.merchantId }
    await done(billing.accountKeys.rotate('testnet', of))
    await pass(6)
    const [rotated] = await done(billing.accountKeys.show('testnet', of))
    expect(rotated).toMatchObject({ account, isProven: true })
    const newKey = present(rotated?.signs)
    expect(newKey).not.toBe(account)
    const again = await refunds.paid()
    expect((await refunds.ended(await done(refunds.request(again)))).status).toBe('succeeded')

    const named = await services.vault.keysNamed('')
    expect(named).toEqual(
      expect.arrayContaining([
        'channel/testnet/0001',
        'operator/testnet',
        `rotated/testnet/${account}/0001`,
        `settlement/testnet/${front.merchantId}`,
      ]),
    )
    expect(await filterInTurn(named, services.vault.carriage.hasSeed)).toEqual([])
    expect(await seeds()).toEqual([])
    expect(await subscribers.isReconciled()).toBe(true)

    // The KMS is asked under the names of this installation, and each signature was recorded before.
    expect(kms.state.asked.every(({ label }) => label.startsWith('shop/'))).toBe(true)
    const signed = kms.state.asked.flatMap(({ label, bytes }) =>
      bytes === null || bytes.length !== 32 ? [] : [`${label} ${Buffer.from(bytes).toString('hex')}`],
    )
    const records = (await services.vault.signings.of(account))
      .filter(({ purpose }) => purpose === 'transaction')
      .map(({ key, digest }) => `shop/${key} ${digest}`)
    expect(signed).toEqual(expect.arrayContaining(records))
    expect(records.some((each) => each.startsWith(`shop/rotated/testnet/${account}/0001 `))).toBe(true)
  }, 120_000)
})

describe('a KMS that fails', () => {
  let shop: Awaited<ReturnType<typeof openWithKms>>
  beforeEach(async () => {
    shop = await openWithKms()
  }, 60_000)
  afterEach(() => shop.front.close())

  it.each<[string, (answer: Uint8Array) => E.Either<string, Uint8Array>]>([
    ['refuses', () => E.left('throttled')],
    ['answers a wrong signature', (answer) => E.right(answer.map((byte) => byte ^ 1))],
    ['answers too few bytes', () => E.right(new Uint8Array(3))],
    [
      'throws',
      () => {
        throw new Error('the connection was reset')
      },
    ],
  ])(
    'that %s lets money wait, records no transaction, and pays once it is well again',
    async (_, faulty) => {
      const { front, kms, pass } = shop
      const refunds = refundsIn(front)
      const payment = await refunds.paid()
      const transactions = async () => (await (await front.platform.shown()).ledgerTransactions.all()).length
      const before = await transactions()
      kms.state.fault = async (_asked, answer) => faulty(answer)
      const refund = await done(refunds.request(payment))
      await pass()
      expect((await refunds.refundNow(refund)).status).toBe('pending')
      expect(await transactions()).toBe(before)
      expect(front.worker.troubles()).toContainEqual(
        expect.objectContaining({ _tag: 'CannotSign', account: front.account }),
      )
      kms.state.fault = null
      expect((await refunds.ended(refund)).status).toBe('succeeded')
      await pass()
      expect(front.worker.troubles()).toEqual([])
    },
    60_000,
  )
})

describe('a KMS that is silent for the key of one merchant', () => {
  it('lets only the money of that merchant wait, and asks again after a while', async () => {
    const time = { now: 0 }
    let isOver = (): void => undefined
    const shop = await openWithKms({
      deadlineMs: 5_000,
      restMs: 30_000,
      now: () => time.now,
      wait: () =>
        new Promise((resolve) => {
          isOver = resolve
        }),
    })
    const { front, kms, pass } = shop
    const neighbour = await openNextDoor(front)
    await pass(30)
    const [slow, quick] = [refundsIn(front), refundsIn(neighbour)]
    const [payment, other] = [await slow.paid(), await quick.paid()]
    const isSlow = (label: string): boolean => label === `shop/settlement/testnet/${front.merchantId}`
    kms.state.fault = async ({ label }, answer) => {
      if (!isSlow(label)) return E.right(answer)
      isOver()
      return new Promise(() => undefined)
    }
    kms.state.asked.length = 0
    const refund = await done(slow.request(payment))
    const others = await done(quick.request(other))
    expect((await quick.ended(others)).status).toBe('succeeded')
    await pass(5)
    expect((await slow.refundNow(refund)).status).toBe('pending')
    expect(kms.state.asked.filter(({ label }) => isSlow(label))).toHaveLength(1)
    kms.state.fault = null
    time.now += 30_000
    expect((await slow.ended(refund)).status).toBe('succeeded')
    await front.close()
  }, 60_000)
})

describe('a merchant whose keys a KMS holds', () => {
  it('cannot leave for another installation, since a KMS gives no key away', async () => {
    // Only a log in a file can be left.
    const shop = await openWithKms(undefined, 'embedded')
    const { billing, merchantId, folder } = shop.front
    const to = destinationOf(new Uint8Array(32).fill(9)).name
    const why = { by: asText('Ada'), reason: asText('moves') }
    const leaving = billing.leaving.leave({ merchantId, to, path: `${folder.path}/export`, ...why })
    expect(await refused(leaving)).toEqual({
      _tag: 'KeysElsewhere',
      keys: [`settlement/testnet/${merchantId}`],
    })
    await shop.front.close()
  }, 60_000)
})
