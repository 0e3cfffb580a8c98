import { type AccountId, type AssetId, asText, count, decimalFromStroops, secondMs, stroops } from '@quittance/domain'
import { Asset, Operation } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { done, present } from '../../testing/outcomes.ts'
import { book, command, openShop, options } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import type { Sending } from '../paying/build-transaction.ts'

const price = units(10)
/** The sandbox sells a USDC for 4 XLM and a thousandth, and an XLM for as much the other way. */
const inLumens = stroops((price * 4_004n + 999n) / 1_000n)
const feeCap = 10_000n

const edge = (...amounts: ReadonlyArray<bigint>) =>
  fc.constantFrom(...amounts.flatMap((amount) => (amount === 0n ? [0n] : [amount - 1n, amount, amount + 1n])))

/** What is sold for which asset, and with what it is paid. */
const kinds = ['payment', 'native', 'path', 'native mandate', 'mandate', 'trial'] as const
type Kind = (typeof kinds)[number]

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never

const anyPayer = fc.record({
  isThere: fc.constantFrom(true, true, true, true, true, true, false),
  lumens: fc.oneof(edge(feeCap, price + feeCap, inLumens + feeCap), fc.constantFrom(units(1), units(90))),
  usdc: fc.option(fc.oneof(edge(0n, price), fc.constant(stroops(price)), fc.constant(units(1_000))), {
    nil: null,
    freq: 5,
  }),
  isFrozen: fc.constantFrom(false, false, false, false, true),
  /** A part of what it holds is promised to an offer that sells it. */
  isSelling: fc.constantFrom(false, false, false, true),
})
const anyMerchant = fc.record({
  room: fc.option(fc.oneof(edge(price), fc.constant(units(1_000_000)), fc.constant(units(1_000_000))), {
    nil: null,
    freq: 8,
  }),
  isFrozen: fc.constantFrom(false, false, false, false, false, true),
})

describe('built transactions', () => {
  let shop: StoreFront
  let wallets = 60
  beforeAll(async () => {
    shop = await openStoreFront()
    shop.network.market.offers = [{ sendAsset: shop.network.xlm.assetId, sendAmount: inLumens, path: [] }]
  })
  afterAll(() => shop.close())

  const usdc = (): AssetId => shop.network.usdc.assetId
  const sdkUsdc = (): Asset => {
    const [code, issuer] = usdc().split(':')
    return new Asset(present(code), issuer)
  }
  const act = (secret: string, operation: Parameters<typeof shop.wallets.act>[1][number]) =>
    shop.wallets.act(secret, [operation], '100')
  const freeze = (account: AccountId): void => {
    shop.network.sandbox.faults.set({ deauthorise: { account, asset_id: usdc() } })
    shop.network.wait(secondMs)
  }
  const read = async (account: AccountId) => present(await done(shop.network.gateway.accountView(account, [usdc()])))

  /** A wallet that can spend so much XLM, and so much USDC where it has a trustline. */
  const payerWith = async (wanted: Drawn<typeof anyPayer>): Promise<Wallet> => {
    const wallet = shop.wallets.again(wallets++)
    if (!wanted.isThere) return wallet
    const { secret: funder } = shop.payer
    act(funder, Operation.createAccount({ destination: wallet.account, startingBalance: '150' }))
    if (wanted.usdc !== null) {
      act(wallet.secret, Operation.changeTrust({ asset: sdkUsdc() }))
      const promised = wanted.isSelling ? units(7) : 0n
      const amount = decimalFromStroops(stroops(wanted.usdc + promised))
      if (amount !== '0') act(funder, Operation.payment({ destination: wallet.account, asset: sdkUsdc(), amount }))
      if (wanted.isSelling) {
        const terms = { selling: sdkUsdc(), buying: Asset.native(), amount: '7', price: '90' }
        act(wallet.secret, Operation.manageSellOffer(terms))
      }
      if (wanted.isFrozen) freeze(wallet.account)
    }
    const { nativeSpendable } = await read(wallet.account)
    const rest = decimalFromStroops(stroops(nativeSpendable - wanted.lumens - 100n))
    act(wallet.secret, Operation.payment({ destination: shop.payer.account, asset: Asset.native(), amount: rest }))
    expect((await read(wallet.account)).nativeSpendable).toBe(wanted.lumens)
    return wallet
  }

  /** A merchant with one open checkout of the kind. */
  const checkoutOf = async (kind: Kind) => {
    const merchantId = await openShop(shop.platform)
    const { billing, network, platform } = shop
    const assetId = kind === 'native' || kind === 'native mandate' ? network.xlm.assetId : usdc()
    const amount = { amount: '10', amountCents: null }
    if (kind === 'payment' || kind === 'path' || kind === 'native') {
      const context = command(platform, merchantId)
      const { id } = await done(billing.checkouts.createDirect(context, amount, assetId, options()))
      return { merchantId, id }
    }
    const currency = { ...book(assetId), price: kind === 'mandate' ? amount : { amount: '2.5', amountCents: null } }
    const product = await done(
      billing.products.create(command(platform, merchantId), {
        ...currency,
        name: asText('A club'),
        type: 'subscription',
        recurringPeriod: 'month',
      }),
    )
    const customer = { id: null, email: `${merchantId}@club.example`, phone: null }
    const asked = kind === 'trial' ? { trialDays: count(7) } : {}
    const sold = { ...options(customer), ...asked }
    const { id } = await done(billing.checkouts.createForProduct(command(platform, merchantId), product.id, sold))
    return { merchantId, id }
  }
  const breakMerchant = async (merchantId: string, { room, isFrozen }: Drawn<typeof anyMerchant>) => {
    const { account } = await done(shop.services.settlementOf(merchantId, 'testnet'))
    const limit = decimalFromStroops(stroops(room ?? 0n))
    act(await shop.seedOf(merchantId), Operation.changeTrust({ asset: sdkUsdc(), limit }))
    if (isFrozen && room !== null) freeze(account)
  }

  const rich = { isThere: true, lumens: units(90), usdc: units(1_000), isFrozen: false, isSelling: false }
  const ready = { room: units(1_000_000), isFrozen: false }
  const built = new Set<Kind>()

  it('builds only transactions that succeed if they are signed and sent at once, whatever payer and merchant hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...kinds), anyPayer, anyMerchant, async (kind, payer, merchant) => {
        const { merchantId, id } = await checkoutOf(kind)
        await done(shop.billing.payer.quote(id))
        await breakMerchant(merchantId, merchant)
        const wallet = await payerWith(payer)
        const sending: Sending | null = kind === 'path' ? { assetId: shop.network.xlm.assetId, most: null } : null
        const offered = await shop.billing.payer.transaction(id, wallet.account, sending)()
        if (E.isLeft(offered)) return
        const signed = wallet.sign(offered.right.transaction_xdr)
        const { transactionHash } = await done(shop.network.gateway.submit(signed))
        shop.network.wait(secondMs)
        expect(await done(shop.network.gateway.lookUp(transactionHash))).toMatchObject({ _tag: 'Succeeded' })
        built.add(kind)
      }),
      { numRuns: 60, examples: kinds.map((kind): [Kind, typeof rich, typeof ready] => [kind, rich, ready]) },
    )
    // Each kind was built for a payer who has enough: not everything was refused.
    expect([...built].sort()).toEqual([...kinds].sort())
  }, 120_000)
})
