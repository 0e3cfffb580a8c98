import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { ratesConfigFrom } from './rates-config.ts'

const fiat = (name: string, url = `https://${name}.example/usd`) => ({ kind: 'open-er-api', name, url })
const prices = (name: string, ids: object) => ({ kind: 'coingecko', name, url: `https://${name}.example/`, ids })
const ticker = { kind: 'ticker', name: 'c', url: 'https://c.example/{market}', price: 'p', time: null }
const xlm = { pairs: { 'XLM/USD': 'xlmusd' } }

const problemsOf = (input: unknown): ReadonlyArray<string> => {
  const config = ratesConfigFrom(input)
  return E.isLeft(config) ? config.left : []
}

describe('a file of rate sources', () => {
  it('accepts the documented example', () => {
    const example: unknown = JSON.parse(readFileSync('docs/example/rates.json', 'utf8'))
    expect(ratesConfigFrom(example)).toEqual(E.right(example))
  })
  it.each([
    ['two tables of currencies', [fiat('a'), fiat('b')]],
    ['two markets', [prices('a', { XLM: 'stellar' }), { ...ticker, ...xlm }]],
    ['addresses of this machine', ['1', '2'].map((port) => fiat(port, `http://127.0.0.1:${port}`))],
    ['a time to live', [fiat('a'), { ...fiat('b'), ttl_seconds: 60 }]],
  ])('may name %s', (_, sources) => expect(ratesConfigFrom({ sources })).toEqual(E.right({ sources })))

  it('reports all problems at once, without the values', () =>
    expect(
      problemsOf({
        majors: ['EUR', 'EURO'],
        sources: [
          { kind: 'open-er-api', url: 'http://secret.example' },
          { kind: 'guess' },
          { ...ticker, ...xlm, price: 7, ttl_seconds: 0 },
          'a source',
        ],
      }),
    ).toEqual([
      'majors.1 must be CurrencyCode',
      'sources.0.name must be Text',
      'sources.0.url must be https address, or one of this machine',
      'sources.1.kind must be one of open-er-api, currency-api, coingecko, ticker',
      'sources.2.price must be string',
      'sources.2.ttl_seconds must be whole seconds from 1 to 86400',
      'sources.3.kind must be one of open-er-api, currency-api, coingecko, ticker',
    ]))
  it.each<[string, unknown, ReadonlyArray<string>]>([
    ['no list', {}, ['sources must be a list']],
    ['nothing', null, ['it must be an object with a list of sources']],
    ['no sources', { sources: [] }, ['sources must name at least two']],
    [
      'a leg with one source',
      { sources: [fiat('a'), { ...ticker, ...xlm }] },
      ['USD/<currency> must have at least two sources', 'XLM/USD must have at least two sources'],
    ],
    [
      'one name twice',
      { sources: [fiat('a'), fiat('a', 'https://b.example')] },
      ['the name a must be that of one source'],
    ],
    [
      'one host twice',
      { sources: [fiat('a'), fiat('b', 'https://a.example/other')] },
      ['a.example must be asked as one source: it has one voice'],
    ],
  ])('cannot have %s', (_, input, problems) => expect(problemsOf(input)).toEqual(problems))
})
