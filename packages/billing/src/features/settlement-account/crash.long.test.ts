import { minuteMs, stroops } from '@quittance/domain'
import { accountOf } from '@quittance/domain/testing'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openPlatform } from '../../testing/platform.ts'
import { survived } from '../../testing/refunds.ts'
import { openShop } from '../../testing/shop.ts'
import { provenLog } from '../../testing/stores.ts'
import { openUnprepared, type Unprepared } from '../../testing/unprepared.ts'

const mostAppends = 40
const twoTrustlines = stroops(10_000_000n + 2n * 5_100_000n)
const signerToo = stroops(10_000_000n + 3n * 5_100_000n)

describe('a crash during the set-up of accounts', () => {
  let shop: Unprepared
  beforeEach(async () => {
    shop = await openUnprepared()
  })
  afterEach(() => shop.close())

  it.each([
    ['is taken by the next ledger', 1_000, false],
    ['never reaches the network, and dies', minuteMs, true],
  ] as const)(
    'after any append is recovered once by another process, where the transaction %s',
    async (_, ms, isLost) => {
      let deaths = 0
      for (; deaths < mostAppends; deaths++) {
        const merchantId = await openShop(shop.platform)
        const { account } = await done(shop.services.settlementOf(merchantId, 'testnet'))
        shop.create(account, twoTrustlines)
        shop.network.faults.losesSubmissions = isLost
        const dying = await openPlatform(shop.network, shop.folder.path, dyingAfter(deaths + 1))
        let isAlive = true
        for (let ledgers = 0; isAlive && ledgers < 4; ledgers++) {
          isAlive = await survived(done(dying.worker.step))
          shop.network.wait(ms)
        }
        await dying.close()
        shop.network.faults.losesSubmissions = false
        await shop.pass(1, shop.platform, 3 * minuteMs)
        await shop.pass(4)
        expect(await shop.trusted(account)).toEqual([shop.network.usdc.assetId, shop.network.eurc.assetId])
        expect(await shop.rowOf(merchantId)).toMatchObject({ isDone: true })
        const held = (await shop.transactions()).filter(
          ({ fees, sourceAccount }) => fees.length > 0 && sourceAccount === account,
        )
        // A crash between the two intents leaves one to another transaction; each is in a ledger once.
        const wanted = (await shop.setUpIntents()).filter(({ row }) => row.details.source === account)
        expect(wanted).toHaveLength(2)
        expect(held.flatMap(({ intents }) => intents).sort()).toEqual(wanted.map(({ id }) => id).sort())
        if (isAlive) break
      }
      expect(deaths).toBeGreaterThan(8)
      expect(deaths).toBeLessThan(mostAppends)
      expect(await provenLog(shop.folder.path)).toMatchObject({ ok: true })
    },
  )

  it('after any append leaves an account without trustlines, or with its recovery signer', async () => {
    await shop.close()
    shop = await openUnprepared(() => null, accountOf(77))
    let deaths = 0
    for (let isAlive = false; !isAlive && deaths < mostAppends; deaths++) {
      const merchantId = await openShop(shop.platform)
      const { account } = await done(shop.services.settlementOf(merchantId, 'testnet'))
      shop.create(account, signerToo)
      const isGuarded = async () => {
        const { authority, trustlines } = present(await shop.view(account))
        return (
          trustlines.length === 0 || authority.signers.some(({ key, weight }) => key === accountOf(77) && weight === 1)
        )
      }
      const dying = await openPlatform(shop.network, shop.folder.path, dyingAfter(deaths + 1))
      isAlive = true
      for (let ledgers = 0; isAlive && ledgers < 6; ledgers++) {
        isAlive = await survived(done(dying.worker.step))
        shop.network.wait(1_000)
        expect(await isGuarded()).toBe(true)
      }
      await dying.close()
      for (let ledgers = 0; ledgers < 6; ledgers++) {
        await shop.pass(1, shop.platform, ledgers === 0 ? 3 * minuteMs : 1_000)
        expect(await isGuarded()).toBe(true)
      }
      expect(await shop.trusted(account)).toHaveLength(2)
      expect(present(await shop.view(account)).authority.signers).toHaveLength(2)
      expect(await shop.rowOf(merchantId)).toMatchObject({ isDone: true })
    }
    expect(deaths).toBeGreaterThan(8)
    expect(deaths).toBeLessThan(mostAppends)
    expect(await provenLog(shop.folder.path)).toMatchObject({ ok: true })
  }, 120_000)
})
