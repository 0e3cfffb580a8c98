import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { asText, LedgerSequence, type MerchantId } from '@quittance/domain'
import { decoded, hashOf } from '@quittance/domain/testing'
import { type Peer, startPeer } from '@quittance/event-store/testing/peer'
import { startNetwork, type TestNetwork } from '../testing/network.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { filesIn, openPlatform, type TestPlatform, temporaryFolder } from '../testing/platform.ts'
import { wantedRefund } from '../testing/refunds.ts'
import { book, command, openShop, options } from '../testing/shop.ts'
import type { TestStore } from '../testing/stores.ts'
import { units, type Wallet, walletsOn } from '../testing/wallets.ts'
import { createWorker } from './worker.ts'

/** The idempotency key's command. */
const commandId = '6f1a3c52-9d1e-4b7a-8c40-2f6d0e9b7a11'

/** What an operator may put back. Beside a log on a server, the read models are removed with it. */
const copies: ReadonlyArray<readonly [string, TestStore, ReadonlyArray<string>]> = [
  ['the log alone', 'embedded', ['events']],
  ['log and vault', 'embedded', ['events', 'vault']],
  ['the log on a server', 'peer', ['server', 'readModels']],
]

describe('a restored log', () => {
  let network: TestNetwork
  let folder: ReturnType<typeof temporaryFolder>
  let peer: Peer | null
  let kind: TestStore
  let platform: TestPlatform
  let merchantId: MerchantId
  let payer: Wallet
  beforeEach(async () => {
    network = await startNetwork()
    folder = temporaryFolder()
    payer = await walletsOn(network).wallet(1)
    peer = null
  })
  afterEach(async () => {
    await platform.close()
    await peer?.stop()
    await network.close()
    folder.remove()
  })

  const server = () => join(folder.path, 'server.db')
  const open = async (): Promise<void> => {
    const eventStore = async () => {
      peer = await startPeer({ path: server(), port: 0, clock: network.now })
      return peer.connectionString
    }
    platform = await openPlatform({ ...network, eventStore }, folder.path, undefined, kind)
  }
  const begin = async (chosen: TestStore = 'embedded'): Promise<void> => {
    kind = chosen
    await open()
    merchantId = await openShop(platform)
  }
  const files = () => Object.entries({ ...filesIn(folder.path), server: server() })
  const copy = (): void => {
    for (const [name, path] of files())
      if (existsSync(path) && name !== 'readModels') copyFileSync(path, `${path}.copy`)
  }
  const putBack = (names: ReadonlyArray<string>): void => {
    for (const [name, path] of files()) {
      if (!names.includes(name)) continue
      for (const rest of ['', '-wal', '-shm']) rmSync(`${path}${rest}`, { force: true })
      if (existsSync(`${path}.copy`)) copyFileSync(`${path}.copy`, path)
    }
  }
  const restart = async (meanwhile: () => void = () => undefined): Promise<void> => {
    await platform.close()
    await peer?.stop()
    meanwhile()
    await open()
  }
  const ledgers = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      network.wait(5_000)
      await done(platform.worker.step)
    }
  }
  const balance = async () => {
    const held = await done(network.gateway.balances([{ account: payer.account, assetId: network.usdc.assetId }]))
    return present(held[0]?.held)
  }
  const account = async () => (await done(platform.services.settlementOf(merchantId, 'testnet'))).account
  const refund = (paymentId: string) =>
    platform.billing.refunds.request(command(platform, merchantId, { commandId }), wantedRefund({ id: paymentId }))

  const sell = async (amount: string) => {
    const wanted = { ...book(), price: { amount, amountCents: null } }
    const product = await done(platform.billing.products.create(command(platform, merchantId), wanted))
    return done(platform.billing.checkouts.createForProduct(command(platform, merchantId), product.id, options()))
  }
  const paymentOf = async (checkoutId: string) =>
    String(
      (await done(platform.billing.checkouts.retrieve({ merchantId, environment: 'testnet' }, checkoutId))).payment_id,
    )

  /** Sells for 1,000 and 100, copies the files, returns 300 without a memo, and refunds the 100. */
  const attack = async (on: TestStore = 'embedded') => {
    await begin(on)
    const to = await account()
    const pay = (amount: number, memo: string | null) =>
      payer.pay({ to, asset: network.usdc.assetId, parts: [units(amount)], memo })
    const [large, small] = [await sell('1000'), await sell('100')]
    pay(1_000, large.id)
    pay(100, small.id)
    await ledgers(3)
    const paymentId = await paymentOf(small.id)
    await restart(copy)
    const start = await balance()
    pay(300, null)
    await done(refund(paymentId))
    await ledgers(6)
    expect((await balance()) - start).toBe(units(100))
    return { paymentId, before: await balance() }
  }

  const accept = (isForced = false) =>
    platform.billing.log.accept({ by: asText('Ada'), reason: asText('the disk died'), isForced })

  it.each([...copies, ['all files', 'embedded' as const, ['events', 'vault', 'logMark']] as const])(
    'pays nothing again after %s was put back, also once a person has accepted',
    async (_, on, names) => {
      const { paymentId, before } = await attack(on)
      await restart(() => putBack(names))
      await refund(paymentId)()
      await ledgers(6)
      expect((await balance()) - before).toBe(0n)
      await done(accept())
      await refund(paymentId)()
      await ledgers(6)
      expect((await balance()) - before).toBe(0n)
    },
  )

  it.each(copies)(
    'is noticed after %s was put back, at any number of restarts, until a person accepts',
    async (_, on, names) => {
      await attack(on)
      await restart(() => putBack(names))
      const lacking = { _tag: 'EventLacking', stream: expect.any(String), hash: expect.any(String) }
      for (let restarts = 0; restarts < 3; restarts++) {
        expect(platform.billing.log.standing()).toEqual({
          _tag: 'RolledBack',
          reasons: expect.arrayContaining([expect.objectContaining(lacking)]),
        })
        await ledgers(2)
        await restart()
      }
      await ledgers(1)
      const accepted = present(await done(accept()))
      expect(accepted).toMatchObject({
        by: 'Ada',
        reason: 'the disk died',
        forgotten: [expect.anything()],
        isForced: false,
      })
      expect(accepted.through).toEqual({ testnet: network.sandbox.clock().ledger, mainnet: null })
      await restart()
      expect(platform.billing.log.standing()).toEqual({ _tag: 'Sound' })
      expect(await done(accept())).toBeNull()
    },
  )

  it('notices a second restored copy after the first was accepted', async () => {
    await attack()
    await restart(() => putBack(['events']))
    await ledgers(1)
    await done(accept())
    await ledgers(1)
    await restart(() => putBack(['events']))
    expect(platform.billing.log.standing()).toMatchObject({ _tag: 'RolledBack' })
  })

  it('is accepted before its ledgers are ingested only when forced', async () => {
    await attack()
    await restart(() => putBack(['events']))
    for (let n = 0; n < 4; n++) network.wait(5_000)
    expect(await refused(accept())).toMatchObject({ _tag: 'LedgersNotIngested', environment: 'testnet' })
    expect(await done(accept(true))).toMatchObject({
      isForced: true,
      through: { testnet: network.sandbox.clock().ledger },
    })
  })

  it('is suspected for good when the ledger holds a forgotten transaction, and in later ledgers only after an acceptance', async () => {
    await begin()
    await ledgers(1)
    const forgotten = (ledger: number) =>
      ({
        environment: 'testnet',
        account: payer.account,
        transactionHash: hashOf(ledger),
        ledger: decoded(LedgerSequence, ledger),
      }) as const
    const suspect = (ledger: number) => done(platform.services.logStanding.suspect(forgotten(ledger)))
    const now = network.sandbox.clock().ledger
    await suspect(now)
    await suspect(now)
    const suspected = (ledger: number) => ({
      _tag: 'RolledBack',
      reasons: [{ _tag: 'TransactionForgotten', ...forgotten(ledger) }],
    })
    expect(platform.billing.log.standing()).toEqual(suspected(now))
    await restart()
    expect(platform.billing.log.standing()).toEqual(suspected(now))
    await done(accept())
    await suspect(now)
    expect(platform.billing.log.standing()).toEqual({ _tag: 'Sound' })
    await suspect(now + 1)
    expect(platform.billing.log.standing()).toEqual(suspected(now + 1))
  })

  it('raises one alarm, and one when a person has accepted', async () => {
    await attack()
    await restart(() => putBack(['events']))
    const heard: Array<string> = []
    const nothing = () => undefined
    const worker = present(
      createWorker(platform.services, 'testnet', nothing, { onLogStanding: ({ _tag }) => heard.push(_tag) }),
    )
    for (let n = 0; n < 3; n++) await done(worker.step)
    expect(heard).toEqual(['RolledBack'])
    await done(accept())
    for (let n = 0; n < 3; n++) await done(worker.step)
    expect(heard).toEqual(['RolledBack', 'Sound'])
  })
})
