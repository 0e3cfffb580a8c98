import { unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import { observed, wednesday } from '../../testing/rates.ts'
import type { RateDocument } from './document.ts'
import { parseExactly } from './exact-json.ts'
import { documentsOf, SourceConfig } from './rates-config.ts'

const noon = wednesday / 1000
const seconds = (time: number) => unixMs(time * 1000)

const documents = (source: object): ReadonlyArray<RateDocument> =>
  documentsOf(decoded(SourceConfig, { name: 'a', ...source }))
const readBy = (source: object, text: string) => {
  const [document] = documents(source)
  return E.mapLeft(() => 'unreadable')(document?.read(parseExactly(text), unixMs(wednesday + 9_000)) ?? E.left([]))
}

describe('a table as open.er-api.com gives it', () => {
  const source = { kind: 'open-er-api', url: 'https://er.example/v6/latest/USD' }
  const table = (changed: string) =>
    `{"result":"success","provider":"p","time_last_update_unix":${noon},"time_eol_unix":0,"base_code":"USD",${changed}}`
  it('observes its rates at the time that it names', () =>
    expect(
      readBy(source, table('"rates":{"USD":1,"EUR":0.30000000000000004,"KWD":3.0e-1,"ODD":null,"LONGER":2}')),
    ).toEqual(
      E.right([observed('USD/USD', '1'), observed('USD/EUR', '0.30000000000000004'), observed('USD/KWD', '0.3')]),
    ))
  it.each([
    ['an error', '{"result":"error","error-type":"quota-reached"}'],
    ['a table in another currency', table('"rates":{}').replace('"USD"', '"EUR"')],
    ['a table without a time', table('"rates":{}').replace('time_last_update_unix', 'x')],
    ['a table without rates', table('"conversion_rates":{}')],
    ['a list', '[]'],
    ['nothing', 'null'],
  ])('cannot be read from %s', (_, text) => expect(readBy(source, text)).toEqual(E.left('unreadable')))
})

describe('a table as currency-api gives it', () => {
  const source = { kind: 'currency-api', url: 'https://c.example/v1/currencies/usd.json' }
  it('observes its codes in capitals, at the beginning of its day', () => {
    const midnight = unixMs(Date.UTC(2026, 10, 4))
    expect(readBy(source, '{"date":"2026-11-04","usd":{"eur":0.86,"jpy":1.535e2,"1inch":5.1,"doge":3}}')).toEqual(
      E.right([observed('USD/EUR', '0.86', 'a', midnight), observed('USD/JPY', '153.5', 'a', midnight)]),
    )
  })
  it.each(['{"date":"2026-11-04","eur":{"usd":1}}', '{"date":"latest","usd":{}}', '{"usd":{"eur":1}}', '{}'])(
    'cannot be read from %s',
    (text) => expect(readBy(source, text)).toEqual(E.left('unreadable')),
  )
})

describe('prices as CoinGecko gives them', () => {
  const source = { kind: 'coingecko', url: 'https://g.example/api?key=k', ids: { XLM: 'stellar', USDC: 'usd-coin' } }
  it('are requested all at once, with times and full precision, keeping the parameters of the address', () =>
    expect(documents(source).map(({ url }) => url)).toEqual([
      'https://g.example/api?key=k&ids=stellar%2Cusd-coin&vs_currencies=usd&include_last_updated_at=true&precision=full',
    ]))
  it("are observed at each asset's own time, leaving out assets without a price", () => {
    const text = `{"usd-coin":{"usd":0.99979,"last_updated_at":${noon - 5}},"stellar":{"usd":2.5e-1,"last_updated_at":${noon}}}`
    expect(readBy(source, text)).toEqual(
      E.right([observed('XLM/USD', '0.25'), observed('USDC/USD', '0.99979', 'a', seconds(noon - 5))]),
    )
    expect(readBy(source, text.replace('2.5e-1', 'null'))).toEqual(
      E.right([observed('USDC/USD', '0.99979', 'a', seconds(noon - 5))]),
    )
  })
  it.each(['{}', '{"status":{"error_code":429,"error_message":"…"}}', '{"stellar":{"usd":0.25}}', '[]'])(
    'cannot be read from %s',
    (text) => expect(readBy(source, text)).toEqual(E.left('unreadable')),
  )
})

describe('an exchange with a ticker for each market', () => {
  const market = (url: string, price: string, time: string | null, name: string) => ({
    ...{ kind: 'ticker', url, price, time },
    pairs: { 'XLM/USD': name },
  })
  const coinbase = market('https://c.example/products/{market}/ticker', 'price', 'time', 'XLM-USD')
  const bitstamp = market('https://b.example/api/v2/ticker/{market}/', 'last', 'timestamp', 'xlmusd')
  const kraken = market('https://k.example/0/public/Ticker?pair={market}', 'result.{market}.c.0', null, 'XXLMZUSD')
  const receipt = unixMs(wednesday + 9_000)
  it.each([
    ['Coinbase', coinbase, '{"trade_id":1,"price":"0.25","time":"2026-11-04T12:00:00.000Z","bid":"0.24"}', wednesday],
    ['Bitstamp', bitstamp, `{"last":"0.25","timestamp":"${noon}","bid":"0.24"}`, wednesday],
    ['Kraken, which names no time', kraken, '{"error":[],"result":{"XXLMZUSD":{"c":["0.25","10"]}}}', receipt],
  ])('is read as %s writes', (_, source, text, at) =>
    expect(readBy(source, text)).toEqual(E.right([observed('XLM/USD', '0.25', 'a', at)])),
  )
  it.each([
    [coinbase, '{"message":"NotFound"}'],
    [coinbase, '{"price":"0.25"}'],
    [coinbase, '{"price":"0.25","time":""}'],
    [coinbase, '"price"'],
    [kraken, '{"error":["EQuery:Unknown asset pair"]}'],
    [kraken, '{"error":[],"result":{"XXLMZUSD":{"c":[]}}}'],
    [market('https://p.example/{market}', 'constructor.name', null, 'm'), '{}'],
  ])('cannot be read from something else', (source, text) => expect(readBy(source, text)).toEqual(E.left('unreadable')))
  it('has an address for each market', () => {
    const source = { ...coinbase, pairs: { 'XLM/USD': 'XLM-USD', 'EURC/USD': 'EURC-USD' } }
    expect(documents(source).map(({ name, url, covers }) => [name, url, covers('EURC/USD')])).toEqual([
      ['a (XLM-USD)', 'https://c.example/products/XLM-USD/ticker', false],
      ['a (EURC-USD)', 'https://c.example/products/EURC-USD/ticker', true],
    ])
  })
})
