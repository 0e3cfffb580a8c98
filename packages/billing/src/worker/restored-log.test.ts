import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { asText, type MerchantId } from '@quittance/domain'
import { startNetwork, type TestNetwork } from '../testing/network.ts'
import { done, present } from '../testing/outcomes.ts'
import { filesIn, openPlatform, type TestPlatform, temporaryFolder } from '../testing/platform.ts'
import { wantedRefund } from '../testing/refunds.ts'
import { book, command, openShop, options } from '../testing/shop.ts'
import { units, type Wallet, walletsOn } from '../testing/wallets.ts'

type Name = keyof ReturnType<typeof filesIn>
/** The idempotency key's command. */
const commandId = '6f1a3c52-9d1e-4b7a-8c40-2f6d0e9b7a11'

/** What an operator may put back: with the log, the marks beside it may stay or go. */
const copies: ReadonlyArray<readonly [string, ReadonlyArray<Name>]> = [
  ['the log alone', ['events']],
  ['log and vault', ['events', 'vault']],
]

describe('a restored log', () => {
  let network: TestNetwork
  let folder: ReturnType<typeof temporaryFolder>
  let platform: TestPlatform
  let merchantId: MerchantId
  let payer: Wallet
  beforeEach(async () => {
    network = await startNetwork()
    folder = temporaryFolder()
    platform = await openPlatform(network, folder.path, undefined, 'embedded')
    merchantId = await openShop(platform)
    payer = await walletsOn(network).wallet(1)
  })
  afterEach(async () => {
    await platform.close()
    await network.close()
    folder.remove()
  })

  const files = () => Object.entries(filesIn(folder.path))
  const copy = (): void => {
    for (const [, path] of files()) if (existsSync(path)) copyFileSync(path, `${path}.copy`)
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
    meanwhile()
    platform = await openPlatform(network, folder.path, undefined, 'embedded')
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
  const attack = async () => {
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

  it.each(copies)('pays nothing again after %s was put back', async (_, names) => {
    const { paymentId, before } = await attack()
    await restart(() => putBack(names))
    await refund(paymentId)()
    await ledgers(6)
    expect((await balance()) - before).toBe(0n)
  })
})
