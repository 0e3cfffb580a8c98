import { AssetId, stroops } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { named } from '../named.ts'
import { documentFetcher, FETCH_LIMITS } from '../rates/live/fetch-document.ts'
import { keyPairFromSeed } from '../stellar/keys.ts'
import { type Manner, type Market, startMarket } from '../testing/markets.ts'
import { horizonPaths } from './horizon-paths.ts'

const issuer = keyPairFromSeed(new Uint8Array(32).fill(3)).accountId
const usdc = named(AssetId, `USDC:${issuer}`)
const longer = named(AssetId, `LONGERCODE:${issuer}`)
const native = named(AssetId, 'native')
const query = { destinationAsset: usdc, destinationAmount: stroops(125_000_000n), sourceAssets: [native, longer] }

const asset = (prefix: string, type: string, code?: string) => ({
  [`${prefix}asset_type`]: type,
  ...(code === undefined ? {} : { [`${prefix}asset_code`]: code, [`${prefix}asset_issuer`]: issuer }),
})
const record = {
  ...asset('source_', 'native'),
  source_amount: '50.0000001',
  ...asset('destination_', 'credit_alphanum4', 'USDC'),
  destination_amount: '12.5000000',
  path: [],
}
/** Preferred, if it is taken for an offer. */
const cheap = { ...record, source_amount: '1' }
const answer = (...records: ReadonlyArray<object>) => JSON.stringify({ _embedded: { records } })

const unavailable = E.left({ _tag: 'PathsUnavailable', cause: expect.any(String) })

describe('paths from a Horizon server', () => {
  let market: Market
  beforeEach(async () => {
    market = await startMarket()
  })
  afterEach(() => market.close())
  const asked = async (manner: Manner, wanted: typeof query = query, limits: Partial<typeof FETCH_LIMITS> = {}) => {
    market.behaves(manner)
    const paths = horizonPaths(market.url, documentFetcher({ ...FETCH_LIMITS, maximumBytes: 4096, ...limits }))
    const found = await paths.strictReceive(wanted)()
    await paths.close()
    return found
  }

  it('are requested by asset and exact amount', async () => {
    await asked(answer())
    await asked(answer(), { ...query, destinationAsset: longer, sourceAssets: [usdc] })
    await asked(answer(), { ...query, destinationAsset: native, destinationAmount: stroops(1n), sourceAssets: [usdc] })
    const asked3 = market.paths().map((path) => Object.fromEntries(new URL(path, market.url).searchParams))
    expect(new URL(market.paths()[0] ?? '', market.url).pathname).toBe('/paths/strict-receive')
    expect(asked3).toEqual([
      {
        source_assets: `native,${longer}`,
        destination_asset_type: 'credit_alphanum4',
        destination_asset_code: 'USDC',
        destination_asset_issuer: issuer,
        destination_amount: '12.5',
      },
      {
        source_assets: usdc,
        destination_asset_type: 'credit_alphanum12',
        destination_asset_code: 'LONGERCODE',
        destination_asset_issuer: issuer,
        destination_amount: '12.5',
      },
      { source_assets: usdc, destination_asset_type: 'native', destination_amount: '0.0000001' },
    ])
  })

  it('are not requested without a source asset', async () => {
    expect(await asked(answer(), { ...query, sourceAssets: [] })).toEqual(E.right([]))
    expect(market.asked()).toBe(0)
  })

  it('are the cheapest for each asset, with the assets between', async () => {
    const between = [asset('', 'native'), asset('', 'credit_alphanum12', 'LONGERCODE')]
    const other = { ...record, ...asset('source_', 'credit_alphanum12', 'LONGERCODE'), source_amount: '7' }
    const found = await asked(answer({ ...record, source_amount: '51' }, { ...record, path: between }, other))
    expect(found).toEqual(
      E.right([
        { sendAsset: native, sendAmount: 500_000_001n, path: [native, longer] },
        { sendAsset: longer, sendAmount: 70_000_000n, path: [] },
      ]),
    )
  })

  it.each<[string, object]>([
    ['another asset than was asked', { ...cheap, ...asset('source_', 'credit_alphanum4', 'EURC') }],
    ['another asset arriving', { ...cheap, ...asset('destination_', 'credit_alphanum4', 'EURC') }],
    ['another amount arriving', { ...cheap, destination_amount: '12.4999999' }],
    ['nothing to be sent', { ...cheap, source_amount: '0' }],
    ['an amount below zero', { ...cheap, source_amount: '-1' }],
    ['an amount in parts of a stroop', { ...cheap, source_amount: '1.00000001' }],
    ['an amount that no account holds', { ...cheap, source_amount: '922337203685.4775808' }],
    ['more between than the network takes', { ...cheap, path: Array(6).fill(asset('', 'native')) }],
    ['an asset between that is none', { ...cheap, path: [asset('', 'credit_alphanum4')] }],
    ['an asset that is none', { ...cheap, source_asset_type: 'credit_alphanum4' }],
  ])('leave out an offer with %s', async (_, told) =>
    expect(await asked(answer(told, record))).toEqual(
      E.right([{ sendAsset: native, sendAmount: 500_000_001n, path: [] }]),
    ),
  )

  it.each<[string, Manner]>([
    ['no list', '{"_embedded":{"records":{}}}'],
    ['a record without a path', answer({ ...record, path: undefined })],
    ['no JSON', '<html>'],
    ['an error', (response) => void response.writeHead(503).end(answer(record))],
    ['more than is read', `${answer(record)}${' '.repeat(5000)}`],
    ['a redirect', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ])('are unavailable where the response is %s', async (_, manner) => expect(await asked(manner)).toEqual(unavailable))

  it('are unavailable where nothing comes in time', async () =>
    expect(await asked(() => undefined, query, { totalMs: 300 })).toEqual(unavailable))
})
