import { AcceptedAsset, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { done, refused } from '../../testing/outcomes.ts'
import { book, command, options } from '../../testing/shop.ts'
import { openUnprepared, type Unprepared } from '../../testing/unprepared.ts'

const twoTrustlines = stroops(10_000_000n + 2n * 5_100_000n)

describe('changing the accepted assets', () => {
  let shop: Unprepared
  let ids: { usdc: string; xlm: string; eurc: string }
  beforeEach(async () => {
    shop = await openUnprepared()
    const { usdc, xlm, eurc } = shop.network
    ids = { usdc: usdc.assetId, xlm: xlm.assetId, eurc: eurc.assetId }
  })
  afterEach(() => shop.close())

  const accept = (
    assets?: ReadonlyArray<string>,
    defaultAssetId?: string,
    context = command(shop.platform, shop.merchantId),
  ) => shop.platform.billing.settlementAccounts.accept(context, { assets, defaultAssetId })
  const accepted = async (...request: Parameters<typeof accept>) =>
    (await done(accept(...request))).assets.map(({ asset_id, is_default }) => [asset_id, is_default])

  it('replaces the list; a default that is not on it becomes the first asset', async () => {
    expect(await accepted([ids.eurc, ids.usdc])).toEqual([
      [ids.eurc, false],
      [ids.usdc, true],
    ])
    expect(await accepted([ids.xlm, ids.eurc])).toEqual([
      [ids.xlm, true],
      [ids.eurc, false],
    ])
    expect(await accepted(undefined, ids.eurc)).toEqual([
      [ids.xlm, false],
      [ids.eurc, true],
    ])
  })

  it('rejects an asset that the network does not offer, and a default that is not on the list', async () => {
    const unknown = `EVIL:${shop.account}`
    expect(await refused(accept([ids.usdc, unknown]))).toEqual({ _tag: 'AssetNotKnown', assetId: unknown })
    expect(await refused(accept([ids.usdc], ids.eurc))).toEqual({ _tag: 'AssetNotKnown', assetId: ids.eurc })
  })

  it('keeps an accepted asset that the network no longer offers', async () => {
    const { networks } = shop.services
    const assets = [decoded(AcceptedAsset, { assetId: ids.xlm, description: 'XLM', pegged: false })]
    Object.assign(networks.testnet ?? {}, { assets })
    expect(await accepted([ids.usdc, ids.xlm])).toHaveLength(2)
    expect(await accepted([ids.xlm])).toHaveLength(1)
    expect(await refused(accept([ids.usdc]))).toMatchObject({ _tag: 'AssetNotKnown' })
  })

  it('returns the same result for a repeated request, whatever was accepted since', async () => {
    const context = command(shop.platform, shop.merchantId)
    const first = await accepted([ids.eurc], undefined, context)
    await accepted([ids.usdc])
    expect(await accepted([ids.eurc], undefined, context)).toEqual(first)
    expect((await shop.rowOf()).assets).toEqual([ids.usdc])
  })

  it('shows pending trustlines until the ledger has them', async () => {
    const trustlines = async () =>
      (await done(shop.platform.billing.settlementAccounts.show(shop.scope))).assets.map(({ trustline }) => trustline)
    shop.create(shop.account, stroops(10_000_000n + 5_100_000n))
    expect(await trustlines()).toEqual(['pending', 'not_needed', 'missing'])
    await shop.pass(4)
    expect(await trustlines()).toEqual(['present', 'not_needed', 'missing'])
  })

  it('keeps an open checkout payable, and its trustline until that checkout ends', async () => {
    const { billing } = shop.platform
    shop.create(shop.account, twoTrustlines)
    await shop.pass(4)
    const product = await done(
      billing.products.create(command(shop.platform, shop.merchantId), book(shop.network.usdc.assetId)),
    )
    const sell = () =>
      billing.checkouts.createForProduct(command(shop.platform, shop.merchantId), product.id, options())
    const open = await done(sell())
    await done(accept([ids.eurc]))
    await shop.pass(4)
    expect(await shop.trusted()).toEqual([ids.usdc, ids.eurc])
    expect(await refused(sell())).toMatchObject({ _tag: 'AssetNotAccepted', assetId: ids.usdc })
    await done(billing.checkouts.expire(command(shop.platform, shop.merchantId), open.id))
    await shop.pass(1, shop.platform, 600_000)
    await shop.pass(3)
    expect(await shop.trusted()).toEqual([ids.eurc])
  })
})
