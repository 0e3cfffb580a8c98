import { AcceptedAsset, endOf } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { done, present } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { openUnprepared, type Unprepared } from '../../testing/unprepared.ts'
import { units } from '../../testing/wallets.ts'

describe('a set-up step that a ledger refuses', () => {
  let shop: Unprepared
  let orphan: string
  beforeEach(async () => {
    shop = await openUnprepared()
    orphan = `GONE:${await shop.channel(77)}`
    const asset = decoded(AcceptedAsset, { assetId: orphan, description: 'an asset without an issuer', pegged: false })
    const network = present(shop.services.networks.testnet)
    Object.assign(network, { assets: [...network.assets, asset] })
  })
  afterEach(() => shop.close())

  const accept = (...assets: ReadonlyArray<string>) =>
    done(shop.platform.billing.settlementAccounts.accept(command(shop.platform, shop.merchantId), { assets }))
  const usdc = () => shop.network.usdc.assetId
  const eurc = () => shop.network.eurc.assetId
  const refusals = async () =>
    (await shop.setUpIntents()).flatMap(({ row }) => {
      const end = endOf(row)
      return end === null || end._tag === 'settled' ? [] : [end.code]
    })
  const stuck = () => shop.worker.troubles().filter(({ _tag }) => _tag === 'SetUpStuck')

  it.each([false, true])(
    'does not fail other steps, and is tried again in growing pauses; sponsored: %p',
    async (isSponsored) => {
      await done(
        shop.platform.billing.settlementAccounts.setUp(command(shop.platform, shop.merchantId), { isSponsored }),
      )
      await accept(usdc(), orphan, eurc())
      shop.create(isSponsored ? await shop.operator() : shop.account, units(100))
      await shop.pass(12)
      expect([...(await shop.trusted())].sort()).toEqual([usdc(), eurc()].sort())
      expect(new Set(await refusals())).toEqual(new Set(['changeTrustNoIssuer']))
      expect(stuck()).toEqual([
        { _tag: 'SetUpStuck', account: shop.account, reason: 'step_failed', cause: 'changeTrustNoIssuer' },
      ])
      await shop.pass(120, shop.platform, 5_000)
      expect((await refusals()).length).toBeLessThanOrEqual(10)
      const { assets } = await done(shop.platform.billing.settlementAccounts.show(shop.scope))
      expect(assets.map(({ trustline }) => trustline)).toEqual(['present', 'missing', 'present'])
      // The merchant no longer accepts the asset: nothing is left to do.
      await accept(usdc(), eurc())
      await shop.pass(2)
      expect(await shop.rowOf()).toMatchObject({ isDone: true })
      expect(stuck()).toEqual([])
    },
  )

  it('costs fees that reconciliation names', async () => {
    await accept(usdc(), orphan)
    shop.create(shop.account, units(100))
    await shop.pass(6)
    const { fee, unexplained } = shop.worker.named()
    expect(fee).toBeGreaterThanOrEqual(2)
    expect(unexplained).toBe(0)
  })
})
