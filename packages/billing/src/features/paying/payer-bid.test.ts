import {
  type AssetId,
  asText,
  decimalFromStroops,
  LedgerSequence,
  type Stroops,
  secondMs,
  stroops,
  TransactionHash,
} from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type FeeDistribution, offeredFees } from '@quittance/ledger'
import { Asset, Operation } from '@stellar/stellar-sdk'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { done, present, refused } from '../../testing/outcomes.ts'
import { book, command, guest, options } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import type { Wallet } from '../../testing/wallets.ts'
import { bidOfPayer, isStillEnough } from './payer-bid.ts'

describe('payer bids', () => {
  it.each([
    [100n, 10_000n],
    [5_000n, 10_000n],
    [5_001n, 10_002n],
    [99_999n, 199_998n],
    [100_000n, 200_000n],
    [100_001n, 200_000n],
    [9_000_000n, 200_000n],
  ])('where the network charges %s stroops, bids %s: twice the charge, within bounds', (price, bid) =>
    expect(bidOfPayer(stroops(price))).toBe(bid),
  )

  it.each([
    [10_000n, 10_000n, true],
    [10_000n, 10_001n, false],
    [200_000n, 900_000n, true],
  ])('tells whether an earlier bid of %s is still enough at %s: %s', (bid, price, isEnough) =>
    expect(isStillEnough(stroops(bid), stroops(price))).toBe(isEnough),
  )
})

const all = (fee: Stroops): FeeDistribution => ({
  min: fee,
  mode: fee,
  p10: fee,
  p20: fee,
  p30: fee,
  p40: fee,
  p50: fee,
  p60: fee,
  p70: fee,
  p80: fee,
  p90: fee,
  p95: fee,
  p99: fee,
  max: fee,
})

describe('payer bids in a fee surge', () => {
  let shop: StoreFront
  /** What the node says is charged, for classic transactions and for contract calls. */
  const charged = { classic: stroops(100n), contract: stroops(100n) }
  const surge = (price: bigint): void => {
    Object.assign(charged, { classic: stroops(price), contract: stroops(price) })
    shop.network.sandbox.faults.set({ fee_surge: { base_fee: Number(price) } })
  }
  beforeEach(async () => {
    Object.assign(charged, { classic: stroops(100n), contract: stroops(100n) })
    const feeStats = () =>
      TE.right({ classic: all(charged.classic), contract: all(charged.contract), asOf: decoded(LedgerSequence, 1) })
    shop = await openStoreFront({}, (network) => ({ ...network, gateway: { ...network.gateway, feeStats } }))
  })
  afterEach(() => shop.close())

  const lumens = () => shop.network.xlm.assetId
  const transaction = (id: string, wallet: Wallet) => shop.billing.payer.transaction(id, wallet.account)
  const sellFor = async (assetId: AssetId) => {
    const { id } = await shop.sell(assetId)
    await done(shop.billing.payer.quote(id))
    return { id }
  }
  const sent = async (wallet: Wallet, envelopeXdr: string) => {
    const { transaction_hash } = await done(shop.billing.payer.submit(lastId, wallet.sign(envelopeXdr)))
    shop.network.wait(secondMs)
    return done(shop.network.gateway.lookUp(decoded(TransactionHash, transaction_hash)))
  }
  let lastId = ''

  it.each([10_001n, 20_000n, 200_000n])('lets a wallet pay in a surge of %s stroops', async (price) => {
    const { id } = await sellFor(shop.network.usdc.assetId)
    lastId = id
    surge(price)
    const { transaction_xdr } = await done(transaction(id, shop.payer))
    expect(offeredFees(transaction_xdr)).toEqual({ inclusion: bidOfPayer(stroops(price)), resources: 0n })
    expect(await sent(shop.payer, transaction_xdr)).toMatchObject({ _tag: 'Succeeded' })
  })

  it('reports that the fee is too low in a surge above the highest bid', async () => {
    const { id } = await sellFor(shop.network.usdc.assetId)
    surge(200_001n)
    const { transaction_xdr } = await done(transaction(id, shop.payer))
    expect(await refused(shop.billing.payer.submit(id, shop.payer.sign(transaction_xdr)))).toEqual({
      _tag: 'FeeTooLow',
    })
  })

  it.each([
    [40_000n, null],
    [39_999n, { because: 'balance_too_low', spendable: 39_999n, needed: 40_000n }],
  ])('requires the whole bid in XLM of a wallet that pays USDC: it can spend %s', async (spare, problem) => {
    const { id } = await sellFor(shop.network.usdc.assetId)
    const wallet = shop.wallets.again(2)
    const view = present(await done(shop.network.gateway.accountView(wallet.account, [])))
    const amount = decimalFromStroops(stroops(view.nativeSpendable - spare - 100n))
    const away = Operation.payment({ destination: shop.payer.account, asset: Asset.native(), amount })
    shop.wallets.act(wallet.secret, [away], '100')
    surge(20_000n)
    const built = transaction(id, wallet)
    if (problem === null) expect(await done(built)).toMatchObject({ kind: 'payment' })
    else expect(await refused(built)).toEqual({ _tag: 'PayerUnfit', assetId: lumens(), ...problem })
  })

  describe('mandate bids in a fee surge', () => {
    const offered = async () => {
      const plan = { ...book(lumens()), name: asText('A club'), type: 'subscription' as const }
      const { platform, billing, merchantId } = shop
      const product = await done(
        billing.products.create(command(platform, merchantId), { ...plan, recurringPeriod: 'month' }),
      )
      const customer = options({ ...guest, email: 'ada@club.example' })
      const { id } = await done(billing.checkouts.createForProduct(command(platform, merchantId), product.id, customer))
      await done(billing.payer.quote(id))
      lastId = id
      return async () => (await done(transaction(id, shop.payer))).transaction_xdr
    }

    it('bids for a mandate by the charges of contract calls, and the network accepts it', async () => {
      const build = await offered()
      surge(20_000n)
      Object.assign(charged, { classic: stroops(100n) })
      const envelope = await build()
      expect(offeredFees(envelope)).toMatchObject({ inclusion: 40_000n })
      expect(await sent(shop.payer, envelope)).toMatchObject({ _tag: 'Succeeded' })
    })

    it('offers the same mandate again until its bid is too low', async () => {
      const build = await offered()
      const before = await build()
      surge(10_000n)
      expect(await build()).toBe(before)
      surge(10_001n)
      const anew = await build()
      expect(offeredFees(anew)).toMatchObject({ inclusion: 20_002n })
      surge(100n)
      expect(await build()).toBe(anew)
    })
  })
})
