import { stroops } from '@quittance/domain'
import { reconcile } from '../books/reconciliation/reconcile.ts'
import { dustersOn } from '../testing/dust.ts'
import { dyingAfter } from '../testing/failing-stores.ts'
import { startNetwork } from '../testing/network.ts'
import { done } from '../testing/outcomes.ts'
import { openPlatform, temporaryFolder } from '../testing/platform.ts'
import { survived } from '../testing/refunds.ts'
import { book, command, openShop, options } from '../testing/shop.ts'
import { provenLog } from '../testing/stores.ts'
import { units, walletsOn } from '../testing/wallets.ts'

const mostAppends = 200
/** Of each flood: so many payments, by three wallets in a ledger. */
const payments = 60

describe('a process that dies in a flood', () => {
  const opened: Array<() => Promise<void> | void> = []
  afterAll(async () => {
    for (const close of opened.toReversed()) await close()
  })

  it('leaves every payment recorded once, whichever append was its last', async () => {
    const network = await startNetwork()
    const folder = temporaryFolder()
    const sound = await openPlatform(network, folder.path)
    opened.push(folder.remove, network.close, sound.close)
    const merchantId = await openShop(sound)
    const wallets = walletsOn(network)
    const payer = await wallets.wallet(1)
    const dusters = await dustersOn({ network, wallets }, 3)
    const { account: to } = await done(sound.services.settlementOf(merchantId, 'testnet'))
    const product = await done(sound.billing.products.create(command(sound, merchantId), book()))
    const sell = () => done(sound.billing.checkouts.createForProduct(command(sound, merchantId), product.id, options()))
    const asset = network.usdc.assetId
    const reconciled = () => done(reconcile(sound.services, 'testnet', { from: null, to: null, merchantId: null }))
    await done(sound.worker.step)

    let [deaths, sent] = [0, 0]
    for (; deaths < mostAppends; deaths += 3) {
      const [open, paid] = [await sell(), await sell()]
      payer.pay({ to, asset, parts: [units(10)], memo: paid.id })
      for (const memo of [open.id, paid.id, null]) dusters.flood({ payments, single: 0, to, asset, memo })
      payer.pay({ to, asset, parts: [stroops(units(10) - BigInt(payments))], memo: open.id })
      sent += 3 * payments + 2
      const dying = await openPlatform(network, folder.path, dyingAfter(deaths + 1))
      const isAlive = await survived(done(dying.worker.step))
      await dying.close()
      const next = await openPlatform(network, folder.path)
      network.wait(1_000)
      await done(next.worker.step)
      await next.close()
      for (const { id } of [open, paid])
        expect(await done(sound.billing.checkouts.retrieve({ merchantId, environment: 'testnet' }, id))).toMatchObject({
          status: 'completed',
        })
      if (isAlive) break
    }
    expect(deaths).toBeGreaterThan(10)
    expect(deaths).toBeLessThan(mostAppends)
    const { named, isOk, unexplained, missing } = await reconciled()
    expect({ isOk, unexplained, missing }).toEqual({ isOk: true, unexplained: [], missing: [] })
    expect(named.payment + named.exception).toBe(sent)
    expect(await provenLog(folder.path)).toMatchObject({ ok: true })
  })
})
