import { openDatabase } from '@quittance/event-store/sqlite'
import { Asset, type Keypair, Operation } from '@stellar/stellar-sdk'
import { findPaths } from '../exchange/paths.ts'
import { openSandbox } from '../sandbox.ts'
import type { Sandbox } from '../sandbox-api.ts'
import { storeIn } from '../store/index.ts'
import { foundBare } from '../testing/bare-network.ts'
import {
  accountEntry,
  funded,
  keyNumber,
  network,
  outcomeOf,
  signed,
  startMs,
  testPassphrase,
  trustline,
} from '../testing/fixture.ts'

const { marketMaker, issuers } = network
const [usdc, eurc] = issuers.map(({ code, keypair }) => new Asset(code, keypair.publicKey()))
if (usdc === undefined || eurc === undefined) throw new Error('the sandbox issues two assets')
const xlm = Asset.native()
const names = new Map([xlm, usdc, eurc].map((asset) => [asset.toXdrObject().toXdr('hex'), asset.getCode()]))

const newDatabase = () => openDatabase(':memory:', { durability: 'full' })

const openOn = (database = newDatabase()) => {
  const sandbox = openSandbox({ database, wallClock: () => startMs, passphrase: testPassphrase })
  return { database, sandbox, store: storeIn(database) }
}
type Opened = ReturnType<typeof openOn>

/** The maker's offers: pair, depth in stroops and price. */
const offersIn = ({ store }: Opened) =>
  store.entries.offersOf(marketMaker.xdrAccountId()).map((key) => {
    const data = store.entries.find(key)?.data
    if (data?.type !== 'offer') throw new Error('no offer')
    const { selling, buying, amount, price } = data.offer
    return [names.get(selling.toXdr('hex')), names.get(buying.toXdr('hex')), amount, price.n / price.d]
  })

const wholeMarket = [
  ['XLM', 'USDC', 43_200_000_000_000n, 0.25 * 1.001],
  ['XLM', 'EURC', 43_200_000_000_000n, (0.25 / 1.08) * 1.001],
  ['USDC', 'XLM', 10_000_000_000_000n, 4 * 1.001],
  ['USDC', 'EURC', 10_000_000_000_000n, 1.001 / 1.08],
  ['EURC', 'XLM', 10_000_000_000_000n, 4.32 * 1.001],
  ['EURC', 'USDC', 10_000_000_000_000n, 1.08 * 1.001],
].map(([sells, takes, depth, price]) => [sells, takes, depth, expect.closeTo(Number(price), 12)])

const rich = keyNumber(7)

/** Creates an account with a hundred million XLM and trustlines for the other assets. */
const makeRich = async (sandbox: Sandbox): Promise<Keypair> => {
  await funded(sandbox, rich)
  const give = Operation.payment({ destination: rich.publicKey(), asset: xlm, amount: '100000000' })
  expect(outcomeOf(sandbox, signed(sandbox, network.root, [give]))).toBe('txSuccess')
  const lines = [usdc, eurc].map((asset) => Operation.changeTrust({ asset }))
  expect(outcomeOf(sandbox, signed(sandbox, rich, lines, { fee: '200' }))).toBe('txSuccess')
  return rich
}

const buyUsdc = (sandbox: Sandbox, amount: string): string =>
  outcomeOf(
    sandbox,
    signed(sandbox, rich, [
      Operation.pathPaymentStrictReceive({
        sendAsset: xlm,
        sendMax: '90000000',
        destination: rich.publicKey(),
        destAsset: usdc,
        destAmount: amount,
        path: [],
      }),
    ]),
  )

describe('the market', () => {
  it('the market offers every pair from the first ledgers on, at the pinned rate plus a thousandth', () => {
    const opened = openOn()
    expect(opened.sandbox.clock().ledger).toBe(4)
    expect(offersIn(opened)).toEqual(wholeMarket)
  })

  it('the market is unchanged after a restart and while nobody trades', () => {
    const first = openOn()
    const before = first.store.entries.recompute()
    const second = openOn(first.database)
    expect(second.sandbox.close().transactions).toBe(0)
    expect(second.store.entries.recompute()).toEqual(before)
  })

  it('an offer with at least half its depth stays; one with less is refilled in the next ledger', async () => {
    const opened = openOn()
    await makeRich(opened.sandbox)
    expect(buyUsdc(opened.sandbox, '500000')).toBe('txSuccess')
    expect(opened.sandbox.close().transactions).toBe(0)
    expect(buyUsdc(opened.sandbox, '0.0000001')).toBe('txSuccess')
    expect(offersIn(opened)[2]?.[2]).toBe(4_999_999_999_999n)
    expect(opened.sandbox.close().transactions).toBe(1)
    expect(offersIn(opened)).toEqual(wholeMarket)
    expect(opened.sandbox.close().transactions).toBe(0)
  })

  it("the market is refilled however much is bought, from the issuers' payments to the maker", async () => {
    const opened = openOn()
    await makeRich(opened.sandbox)
    for (let round = 0; round < 6; round += 1) {
      expect(buyUsdc(opened.sandbox, '900000')).toBe('txSuccess')
      opened.sandbox.close()
    }
    expect(trustline(opened.sandbox, rich, usdc).balance).toBe(54_000_000_000_000n)
    expect(offersIn(opened)).toEqual(expect.arrayContaining(wholeMarket))
    expect(trustline(opened.sandbox, marketMaker, usdc).balance).toBeGreaterThanOrEqual(30_000_000_000_000n)
  })

  it('adds the market once to a network that was founded without it', () => {
    const database = newDatabase()
    foundBare(database)
    const opened = openOn(database)
    expect(offersIn(opened)).toEqual([])
    expect(opened.sandbox.close().transactions).toBe(1)
    expect(offersIn(opened)).toEqual(wholeMarket)
    expect(opened.sandbox.close().transactions).toBe(0)
  })

  it('the market links each pair of assets directly', () => {
    const { store } = openOn()
    for (const destAsset of [xlm, usdc, eurc]) {
      const sendAssets = [xlm, usdc, eurc].filter((each) => each !== destAsset).map((each) => each.toXdrObject())
      const found = findPaths(store.entries, { destAsset: destAsset.toXdrObject(), destAmount: 1_000_000n, sendAssets })
      expect(found.map(({ path }) => path)).toEqual([[], []])
    }
  })

  it('the maker gains from a trade through the market and back', async () => {
    const { sandbox } = openOn()
    await makeRich(sandbox)
    const before = accountEntry(sandbox, marketMaker).balance
    expect(buyUsdc(sandbox, '100')).toBe('txSuccess')
    expect(accountEntry(sandbox, marketMaker).balance - before).toBe(4_004_000_000n)
  })
})
