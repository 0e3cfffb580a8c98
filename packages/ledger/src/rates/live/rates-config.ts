import { CurrencyCode } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { CoinGecko, coinGecko } from './coingecko.ts'
import { CurrencyApi, currencyApi } from './currency-api.ts'
import type { RateDocument } from './document.ts'
import { isFiatPair } from './fiat-table.ts'
import { OpenErApi, openErApi } from './open-er-api.ts'
import { Ticker, ticker } from './ticker.ts'

/** One source of any kind. */
export const SourceConfig = t.union([OpenErApi, CurrencyApi, CoinGecko, Ticker])
type SourceConfig = t.TypeOf<typeof SourceConfig>

/** The sources of rates. `majors`: the currencies whose sources must agree within 2 % instead of 5 %. */
export const RatesConfig = t.intersection([
  t.strict({ sources: t.readonlyArray(SourceConfig) }),
  t.partial({ majors: t.readonlyArray(CurrencyCode) }),
])
export type RatesConfig = t.TypeOf<typeof RatesConfig>

export const documentsOf = (source: SourceConfig): ReadonlyArray<RateDocument> => {
  switch (source.kind) {
    case 'open-er-api':
      return openErApi(source)
    case 'currency-api':
      return currencyApi(source)
    case 'coingecko':
      return coinGecko(source)
    case 'ticker':
      return ticker(source)
  }
}

const kinds: Readonly<Record<SourceConfig['kind'], t.Mixed>> = {
  'open-er-api': OpenErApi,
  'currency-api': CurrencyApi,
  coingecko: CoinGecko,
  ticker: Ticker,
}

/**
 * Reads a parsed JSON file of sources. Errors: one sentence for each problem, without the values, since an address may
 * hold a key.
 */
export const ratesConfigFrom = (input: unknown): E.Either<ReadonlyArray<string>, RatesConfig> => {
  if (!t.UnknownRecord.is(input)) return E.left(['it must be an object with a list of sources'])
  const decoded = RatesConfig.decode(input)
  if (E.isLeft(decoded)) return E.left([...complaints(Frame.decode(input), ''), ...complaintsOfSources(input.sources)])
  const problems = contradictions(decoded.right)
  return problems.length === 0 ? decoded : E.left(problems)
}

/** Everything but the sources, which are read by kind: a union would report errors for every kind. */
const Frame = t.intersection([
  t.strict({ sources: t.array(t.unknown, 'a list') }),
  t.partial({ majors: t.readonlyArray(CurrencyCode) }),
])

const complaintsOfSources = (sources: unknown): ReadonlyArray<string> =>
  !Array.isArray(sources)
    ? []
    : sources.flatMap((source: unknown, index) => {
        const kind = Object.entries(kinds).find(([name]) => t.UnknownRecord.is(source) && source.kind === name)
        const place = `sources.${index}`
        if (kind === undefined) return [`${place}.kind must be one of ${Object.keys(kinds).join(', ')}`]
        return complaints(kind[1].decode(source), place)
      })

/** The place of each problem and what it expects. Leaves out the numbers that name branches of intersections. */
const complaints = (decoded: t.Validation<unknown>, place: string): ReadonlyArray<string> => {
  if (E.isRight(decoded)) return []
  return decoded.left.map(({ context }) => {
    const path = context.slice(1).filter((_, index) => !(context[index]?.type instanceof t.IntersectionType))
    const keys = [place, ...path.map(({ key }) => key)].filter((key) => key !== '').join('.')
    return `${keys === '' ? 'it' : keys} must be ${context.at(-1)?.type.name ?? 'something else'}`
  })
}

/** The pairs of a source; for a table of currencies, one of them. */
const pairsOf = (source: SourceConfig): ReadonlyArray<string> => {
  switch (source.kind) {
    case 'open-er-api':
    case 'currency-api':
      return ['USD/EUR']
    case 'coingecko':
      return Object.keys(source.ids).map((code) => `${code}/USD`)
    case 'ticker':
      return Object.keys(source.pairs)
  }
}

/** Problems of the whole although every part is valid. */
const contradictions = ({ sources }: RatesConfig): ReadonlyArray<string> => {
  const repeated = (of: (source: SourceConfig) => string): ReadonlyArray<string> => [
    ...new Set(sources.map(of).filter((each, index, all) => all.indexOf(each) !== index)),
  ]
  const documents = sources.flatMap(documentsOf)
  const pairs = new Set(sources.flatMap(pairsOf))
  const alone = [...pairs].filter((pair) => documents.filter(({ covers }) => covers(pair)).length < 2)
  return [
    ...(sources.length === 0 ? ['sources must name at least two'] : []),
    ...repeated(({ name }) => name).map((name) => `the name ${name} must be that of one source`),
    ...repeated(({ url }) => new URL(url).host).map((host) => `${host} must be asked as one source: it has one voice`),
    ...alone.map((pair) => `${isFiatPair(pair) ? 'USD/<currency>' : pair} must have at least two sources`),
  ]
}
