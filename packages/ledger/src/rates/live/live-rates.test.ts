import { cents, supportedCurrencies, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import { type Market, startMarket } from '../../testing/markets.ts'
import { eurc, observed, request, usdc, wednesday, xlm } from '../../testing/rates.ts'
import { quoteAmount, quotedPairs } from '../quote.ts'
import { UNITS_PER_USD_2026_11_01 } from '../sandbox-table.ts'
import type { PricedAsset } from '../source.ts'
import { type LiveRates, liveRates } from './live-rates.ts'
import { RatesConfig } from './rates-config.ts'

/** Of the 170, those for which no two public tables of currencies have a rate: see docs/rates.md. */
const UNCOVERED = 'BOV CHE CHW COU CUC KPW MXV SVC USN UYI UYW VED XSU XUA'.split(' ')

const table = Object.entries(UNITS_PER_USD_2026_11_01).filter(([code]) => !UNCOVERED.includes(code))
const written = (code: (code: string) => string) => table.map(([each, rate]) => `"${code(each)}":${rate}`).join()
const noon = wednesday / 1000
const erApi = `{"result":"success","base_code":"USD","time_last_update_unix":${noon},"rates":{${written((code) => code)}}}`
const currencyApi = `{"date":"2026-11-04","usd":{${written((code) => code.toLowerCase())}}}`
const price = (usd: string) => `{"usd":${usd},"last_updated_at":${noon}}`
const coinGecko = `{"stellar":${price('0.25')},"usd-coin":${price('1')},"euro-coin":${price('1.08')}}`
const tickers = { '/XLM': '0.25', '/USDC': '1.0000', '/EURC': '1.08' }

describe('live rates', () => {
  let markets: ReadonlyArray<Market>
  let rates: LiveRates
  const told: Array<unknown> = []
  beforeAll(async () => {
    markets = await Promise.all([erApi, currencyApi, coinGecko, '{}'].map(startMarket))
    const [er, currency, gecko, exchange] = markets.map(({ url }) => url)
    for (const [path, last] of Object.entries(tickers))
      markets[3]?.behaves(`{"last":"${last}","timestamp":"${noon}"}`, path)
    const ids = { XLM: 'stellar', USDC: 'usd-coin', EURC: 'euro-coin' }
    const pairs = { 'XLM/USD': 'XLM', 'USDC/USD': 'USDC', 'EURC/USD': 'EURC' }
    const config = decoded(RatesConfig, {
      sources: [
        { kind: 'open-er-api', name: 'er', url: er },
        { kind: 'currency-api', name: 'currency', url: currency },
        { kind: 'coingecko', name: 'gecko', url: gecko, ids },
        { kind: 'ticker', name: 'exchange', url: `${exchange}/{market}`, price: 'last', time: 'timestamp', pairs },
      ],
    })
    rates = liveRates(
      config,
      () => wednesday,
      (...each) => told.push(each),
    )
  })
  afterAll(async () => {
    await rates.close()
    await Promise.all(markets.map(({ close }) => close()))
  })
  const quoted = async (code: (typeof supportedCurrencies)[number]['code'], asset: PricedAsset) => {
    const asked = { ...request, cents: cents(100_000n), currency: code, asset }
    const observations = await rates.observe(quotedPairs(asked), wednesday)()
    if (E.isLeft(observations)) throw new Error(observations.left._tag)
    return quoteAmount({ ...asked, observations: observations.right }).quote
  }

  it('come from all markets that cover a pair, each with its own time', async () =>
    expect(await rates.observe(['USD/JPY', 'XLM/USD'], unixMs(0))()).toEqual(
      E.right([
        observed('USD/JPY', '149.5', 'er'),
        observed('USD/JPY', '149.5', 'currency', unixMs(Date.UTC(2026, 10, 4))),
        observed('XLM/USD', '0.25', 'gecko'),
        observed('XLM/USD', '0.25', 'exchange'),
      ]),
    ))
  it.each(supportedCurrencies.map(({ code }) => code))(
    'quote %s in every asset, or say that there is no rate',
    async (code) => {
      const quotes = await Promise.all([xlm, usdc, eurc].map((asset) => quoted(code, asset)))
      const none = { _tag: 'RateUnavailable', pair: `USD/${code}`, reason: 'TooFewSources', rejected: [] }
      const expected = UNCOVERED.includes(code)
        ? E.left(none)
        : E.right(expect.objectContaining({ rates: expect.anything() }))
      expect(quotes).toEqual([expected, expected, expected])
    },
  )
  it('fetch each document once for several quotes', () => {
    expect(markets.map((market) => market.paths().length)).toEqual([1, 1, 1, 3])
    expect(markets.map((market) => market.asked())).toEqual([1, 1, 1, 3])
    expect(told).toHaveLength(6)
  })
  it.each([
    [{}, 'EUR', true],
    [{ majors: ['UYU'] }, 'UYU', true],
    [{ majors: ['UYU'] }, 'EUR', false],
  ])('hold the major currencies of %j to a closer agreement: %s %p', async (majors, code, isMajor) => {
    const live = liveRates(
      decoded(RatesConfig, { sources: [], ...majors }),
      () => wednesday,
      () => undefined,
    )
    expect(live.majors.has(code)).toBe(isMajor)
    await live.close()
  })
  it('do not fetch documents that no quote needs', async () => {
    const unasked = liveRates(
      decoded(RatesConfig, { sources: [{ kind: 'open-er-api', name: 'er', url: markets[0]?.url }] }),
      () => wednesday,
      () => undefined,
    )
    expect(await unasked.observe(['XLM/USD'], wednesday)()).toEqual(E.right([]))
    expect(markets[0]?.asked()).toBe(1)
    await unasked.close()
  })
})
