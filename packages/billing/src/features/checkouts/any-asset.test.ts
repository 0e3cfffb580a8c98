import { type AssetId, decimalFromStroops, minuteMs, type Stroops, stroops } from '@quittance/domain'
import { buildPathPayment, keyPairFromSeed } from '@quittance/ledger'
import fc from 'fast-check'
import { passphrase } from '../../testing/network.ts'
import { done, present, refused, right } from '../../testing/outcomes.ts'
import { command, options } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import type { Sending } from '../paying/build-transaction.ts'

/** The number of the first offer of ours: those before are the sandbox's market. */
const goldOffer = '7'

describe('payments in another asset', () => {
  let shop: StoreFront
  let maker: Wallet
  let gold: AssetId
  beforeEach(async () => {
    shop = await openStoreFront()
    maker = shop.other
    gold = shop.wallets.assetNamed(`GOLD:${maker.account}`)
  })
  afterEach(() => shop.close())
  const xlm = (): AssetId => shop.network.xlm.assetId
  const usdc = (): AssetId => shop.network.usdc.assetId

  /** What the finder says from now on: one asset leads there, for so much. */
  const finds = (sendAsset: AssetId, sendAmount: Stroops): void => {
    shop.network.market.offers = [{ sendAsset, sendAmount, path: [] }]
  }
  const build = (id: string, sending: Sending) => shop.billing.payer.transaction(id, shop.payer.account, sending)
  const submit = async (id: string, envelope: string): Promise<void> => {
    await done(shop.billing.payer.submit(id, envelope))
    shop.network.wait(1000)
    await shop.step()
  }
  const heldBy = async (account: Wallet['account'], asset: AssetId): Promise<bigint> => {
    const view = present(await done(shop.network.gateway.accountView(account, [asset])))
    return asset === 'native' ? view.nativeBalance : present(view.trustlines[0]).balance
  }
  /** The payer holds a thousand of an asset that no rate knows, and somebody sells USDC for it. */
  const openGoldMarket = (price: number): void => {
    shop.payer.trust(gold)
    maker.pay({ to: shop.payer.account, asset: gold, parts: [units(1000)], memo: null })
    maker.offer(usdc(), units(1000), gold, price)
  }

  it('delivers the due amount to the stroop, and takes what the path costs', async () => {
    const { id } = await shop.sell()
    maker.offer(usdc(), units(100), xlm(), 4)
    finds(xlm(), units(40))
    const before = [await heldBy(shop.payer.account, xlm()), await heldBy(shop.account, usdc())] as const
    const built = await done(build(id, { assetId: xlm(), most: null }))
    expect(built).toEqual({
      transaction_xdr: expect.any(String),
      network_passphrase: shop.network.gateway.networkPassphrase,
      kind: 'path_payment',
      mandate: null,
      send_max: '40.6',
      sep7_uri: expect.stringMatching(/^web\+stellar:tx\?xdr=/),
      expires_at: new Date(shop.network.now() + 5 * minuteMs).toISOString(),
    })
    await submit(id, shop.payer.sign(built.transaction_xdr))
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
    expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
    const fee = 100n
    expect(before[0] - (await heldBy(shop.payer.account, xlm()))).toBe(units(40) + fee)
    expect((await heldBy(shop.account, usdc())) - before[1]).toBe(units(10))
  })

  it('asks for the rest after a partial payment', async () => {
    const { id } = await shop.sell()
    await shop.pay(id, [units(4)])
    maker.offer(usdc(), units(100), xlm(), 4)
    finds(xlm(), units(24))
    await submit(id, shop.payer.sign((await done(build(id, { assetId: xlm(), most: null }))).transaction_xdr))
    expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
    expect(await shop.exceptions()).toEqual([])
  })

  it('delivers any amount at any price to the stroop, within the maximum to send', async () => {
    openGoldMarket(1)
    const cases = fc.record({ due: fc.bigInt(1n, 50_000_000n), price: fc.integer({ min: 1, max: 400 }) })
    await fc.assert(
      fc.asyncProperty(cases, async ({ due, price }) => {
        maker.offer(usdc(), units(1000), gold, price / 100, goldOffer)
        const before = await heldBy(shop.account, usdc())
        const held = await heldBy(shop.payer.account, gold)
        const amount = decimalFromStroops(stroops(due))
        const context = command(shop.platform, shop.merchantId)
        const { id } = await done(
          shop.billing.checkouts.createDirect(context, { amount, amountCents: null }, 'USDC', options()),
        )
        const cost = (due * BigInt(price) + 99n) / 100n
        finds(gold, stroops(cost))
        const built = await done(build(id, { assetId: gold, most: units(1000) }))
        await submit(id, shop.payer.sign(built.transaction_xdr))
        expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
        expect((await heldBy(shop.account, usdc())) - before).toBe(due)
        expect(held - (await heldBy(shop.payer.account, gold))).toBeLessThanOrEqual((cost * 10_200n + 9_999n) / 10_000n)
      }),
      { numRuns: 8 },
    )
  }, 30_000)

  it('pays nothing when the price has moved past the maximum to send, and pays at the new price afterwards', async () => {
    const { id } = await shop.sell()
    openGoldMarket(2)
    finds(gold, units(20))
    const sending = { assetId: gold, most: units(30) }
    const stale = await done(build(id, sending))
    maker.offer(usdc(), units(1000), gold, 2.5, goldOffer)
    await submit(id, shop.payer.sign(stale.transaction_xdr))
    expect(await heldBy(shop.payer.account, gold)).toBe(units(1000))
    expect(await shop.checkout(id)).toMatchObject({ status: 'open' })
    finds(gold, units(25))
    const fresh = await done(build(id, sending))
    expect([stale.send_max, fresh.send_max]).toEqual(['20.4', '25.5'])
    await submit(id, shop.payer.sign(fresh.transaction_xdr))
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
    expect(await heldBy(shop.payer.account, gold)).toBe(units(975))
  })

  it('pays nothing when the order books have become empty', async () => {
    const { id } = await shop.sell()
    openGoldMarket(2)
    finds(gold, units(20))
    const built = await done(build(id, { assetId: gold, most: units(30) }))
    maker.offer(usdc(), units(0), gold, 2, goldOffer)
    await submit(id, shop.payer.sign(built.transaction_xdr))
    expect(await shop.checkout(id)).toMatchObject({ status: 'open' })
    await shop.pay(id, [units(10)])
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
  })

  it('refuses a path that is more than 3 % dearer than the rates', async () => {
    const { id } = await shop.sell()
    finds(xlm(), units(41.2))
    expect(await done(build(id, { assetId: xlm(), most: null }))).toMatchObject({ send_max: '41.818' })
    finds(xlm(), stroops(units(41.2) + 1n))
    expect(await refused(build(id, { assetId: xlm(), most: units(100) }))).toEqual({
      _tag: 'PathTooExpensive',
      sendAmount: units(41.2) + 1n,
      highest: units(41.2),
    })
  })

  it('takes no more than the payer agrees to, and requires a maximum where no rate is known', async () => {
    const { id } = await shop.sell()
    openGoldMarket(2)
    finds(gold, units(20))
    expect(await refused(build(id, { assetId: gold, most: null }))).toEqual({
      _tag: 'SendMaxRequired',
      sendAmount: units(20),
    })
    expect(await refused(build(id, { assetId: gold, most: units(19.9) }))).toMatchObject({ _tag: 'PathTooExpensive' })
    expect(await done(build(id, { assetId: gold, most: units(20.1) }))).toMatchObject({ send_max: '20.1' })
    expect(await done(build(id, { assetId: gold, most: units(50) }))).toMatchObject({ send_max: '20.4' })
    finds(xlm(), units(40))
    expect(await done(build(id, { assetId: xlm(), most: units(40) }))).toMatchObject({ send_max: '40' })
    await done(shop.billing.payer.quote(id))
    shop.network.rates.isOut = true
    expect(await refused(build(id, { assetId: xlm(), most: null }))).toMatchObject({ _tag: 'SendMaxRequired' })
    expect(await done(build(id, { assetId: xlm(), most: units(41) }))).toMatchObject({ send_max: '40.6' })
  })

  it('allows half a percent between pegged assets', async () => {
    const { id } = await shop.sell()
    finds(shop.network.eurc.assetId, units(9.3))
    expect(await done(build(id, { assetId: shop.network.eurc.assetId, most: null }))).toMatchObject({
      send_max: '9.3465',
    })
  })

  it('refuses an asset that the wallet does not hold, that has no path, or whose paths are unavailable', async () => {
    const { id } = await shop.sell()
    expect(await refused(build(id, { assetId: gold, most: null }))).toEqual({ _tag: 'SendAssetNotHeld', assetId: gold })
    expect(await refused(build(id, { assetId: xlm(), most: null }))).toEqual({ _tag: 'NoPath', assetId: xlm() })
    openGoldMarket(2)
    finds(gold, units(1000.1))
    expect(await refused(build(id, { assetId: gold, most: units(2000) }))).toEqual({
      _tag: 'SendAssetTooLittle',
      balance: units(1000),
      needed: units(1000.1),
    })
    shop.network.market.isOut = true
    expect(await refused(build(id, { assetId: xlm(), most: null }))).toMatchObject({ _tag: 'PathsUnavailable' })
  })

  it('refuses an asset when all of it is reserved, promised to offers, or needed for the fee', async () => {
    const { id } = await shop.sell()
    openGoldMarket(2)
    shop.payer.offer(gold, units(990), usdc(), 9)
    shop.payer.offer(xlm(), units(100), usdc(), 9)
    await done(shop.billing.payer.quote(id))
    shop.network.rates.isOut = true
    // Two trustlines of the wallet's, one more for gold, and two offers; and the account itself counts for two.
    const reserve = units(0.5 * 7)
    const spendable = stroops((await heldBy(shop.payer.account, xlm())) - reserve - units(100) - units(0.001))
    for (const [asset, balance] of [
      [gold, units(10)],
      [xlm(), spendable],
    ] as const) {
      const needed = stroops(balance + 1n)
      finds(asset, needed)
      const sending = { assetId: asset, most: units(20_000) }
      expect(await refused(build(id, sending))).toEqual({ _tag: 'SendAssetTooLittle', balance, needed })
      finds(asset, balance)
      expect(await done(build(id, sending))).toMatchObject({ kind: 'path_payment' })
    }
  })

  it('builds a plain payment for the asset that the checkout asks for', async () => {
    const { id } = await shop.sell()
    shop.network.market.isOut = true
    expect(await done(build(id, { assetId: usdc(), most: null }))).toMatchObject({ kind: 'payment', send_max: null })
  })

  it('relays any transaction that pays this checkout in its asset, whoever built it', async () => {
    const [one, other] = [await shop.sell(), await shop.sell()]
    maker.offer(usdc(), units(100), xlm(), 4)
    const view = present(await done(shop.network.gateway.accountView(shop.payer.account, [])))
    const memoText = await shop.memoOf(one.id)
    const own = (assetId: AssetId): string => {
      const transaction = buildPathPayment({
        sourceAccount: shop.payer.account,
        accountSequence: view.accountSequence,
        destination: shop.account,
        assetId,
        amount: units(10),
        memoText,
        sendAsset: xlm(),
        sendMax: units(50),
        path: [],
        ledgerClosedAt: shop.network.now(),
        lifetimeMs: minuteMs,
        fee: units(0.001),
        networkPassphrase: passphrase,
      })
      return shop.payer.sign(right(transaction).envelopeXdr)
    }
    for (const [id, envelope] of [
      [other.id, own(usdc())],
      [one.id, own(shop.network.eurc.assetId)],
    ] as const)
      expect(await refused(shop.billing.payer.submit(id, envelope))).toEqual({ _tag: 'NotAPaymentForThisCheckout' })
    await submit(one.id, own(usdc()))
    expect(await shop.checkout(one.id)).toMatchObject({ status: 'completed' })
  })

  describe('assets that an account can pay with', () => {
    const assets = (id: string, others: ReadonlyArray<AssetId> = []) =>
      done(shop.billing.payer.assets(id, shop.payer.account, others))
    const none = { send_amount: null, send_max: null, path_available: false, is_price_checked: false }

    it('shows for each asset of an account how much it would take at most', async () => {
      const { id } = await shop.sell()
      finds(xlm(), units(40))
      expect(await assets(id)).toEqual([
        {
          asset_id: usdc(),
          code: 'USDC',
          issuer: usdc().split(':')[1],
          balance: '10000',
          send_amount: '10',
          send_max: '10',
          path_available: true,
          is_price_checked: true,
          is_settlement_asset: true,
        },
        {
          asset_id: 'native',
          code: 'XLM',
          issuer: null,
          balance: decimalFromStroops(stroops(await heldBy(shop.payer.account, xlm()))),
          send_amount: '40',
          send_max: '40.6',
          path_available: true,
          is_price_checked: true,
          is_settlement_asset: false,
        },
        { ...(await assets(id))[2], code: 'EURC', ...none },
      ])
    })

    it('includes assets that the wallet names, and marks their price as unchecked', async () => {
      const { id } = await shop.sell()
      openGoldMarket(2)
      finds(gold, units(20))
      expect((await assets(id)).map(({ code }) => code)).toEqual(['USDC', 'XLM', 'EURC'])
      expect((await assets(id, [gold])).find(({ code }) => code === 'GOLD')).toMatchObject({
        balance: '1000',
        send_amount: '20',
        send_max: '20.4',
        path_available: true,
        is_price_checked: false,
      })
    })

    it('offers no path that is too dear', async () => {
      const { id } = await shop.sell()
      finds(xlm(), units(42))
      expect((await assets(id))[1]).toMatchObject({ code: 'XLM', ...none })
    })

    it('refuses to list assets of an unknown account, or while paths are unavailable', async () => {
      const { id } = await shop.sell()
      const { accountId } = keyPairFromSeed(new Uint8Array(32).fill(9))
      expect(await refused(shop.billing.payer.assets(id, accountId))).toEqual({ _tag: 'SourceAccountNotFound' })
      shop.network.market.isOut = true
      expect(await refused(shop.billing.payer.assets(id, shop.payer.account))).toMatchObject({
        _tag: 'PathsUnavailable',
      })
    })
  })
})
