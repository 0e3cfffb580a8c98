import { asText, Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { DecimalText, Moment } from './decimal.ts'
import type { RateDocument } from './document.ts'
import { MARKET_TTL_SECONDS, SourceUrl, sourceFields, sourceLimits } from './source-fields.ts'

/** Prices as CoinGecko gives them at `/api/v3/simple/price`. `ids`: its name for each asset code. */
export const CoinGecko = t.intersection([
  t.strict({
    kind: t.literal('coingecko'),
    name: Text,
    url: SourceUrl,
    ids: t.readonly(t.record(Text, t.string)),
  }),
  sourceFields,
])

const Price = t.strict({ usd: DecimalText, last_updated_at: Moment })

const address = (url: string, ids: ReadonlyArray<string>): string => {
  const full = new URL(url)
  full.searchParams.set('ids', ids.join(','))
  full.searchParams.set('vs_currencies', 'usd')
  full.searchParams.set('include_last_updated_at', 'true')
  full.searchParams.set('precision', 'full')
  return full.href
}

/** Leaves out an asset without a price. A document without any price is unreadable. */
export const coinGecko = ({ name, url, ids, ...limits }: t.TypeOf<typeof CoinGecko>): ReadonlyArray<RateDocument> => {
  const pairs = Object.entries(ids).map(([code, id]) => ({ pair: asText(`${code}/USD`), id }))
  return [
    {
      source: name,
      name,
      url: address(url, Object.values(ids)),
      ...sourceLimits(limits, MARKET_TTL_SECONDS),
      covers: (pair) => pairs.some((each) => each.pair === pair),
      read: (document) => {
        const prices = t.UnknownRecord.decode(document)
        if (E.isLeft(prices)) return prices
        const found = pairs.flatMap(({ pair, id }) => {
          const price = Price.decode(Object.hasOwn(prices.right, id) ? prices.right[id] : undefined)
          if (E.isLeft(price)) return []
          return [{ source: name, pair, rate: price.right.usd, observedAt: price.right.last_updated_at }]
        })
        return found.length === 0 ? t.failure(document, [], 'no price is among them') : E.right(found)
      },
    },
  ]
}
