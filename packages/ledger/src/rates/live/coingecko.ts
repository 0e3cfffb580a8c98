import { asText, Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
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

const Answer = t.UnknownRecord
const Price = t.strict({ usd: DecimalText, last_updated_at: Moment })

const address = (url: string, ids: ReadonlyArray<string>): string => {
  const asked = new URL(url)
  asked.searchParams.set('ids', ids.join(','))
  asked.searchParams.set('vs_currencies', 'usd')
  asked.searchParams.set('include_last_updated_at', 'true')
  asked.searchParams.set('precision', 'full')
  return asked.href
}

/** An asset that the answer lacks, or has no price for, is left out: the others stand. An answer of none is no answer. */
export const coinGecko = ({ name, url, ids, ...limits }: t.TypeOf<typeof CoinGecko>): ReadonlyArray<RateDocument> => {
  const pairs = Object.entries(ids).map(([code, id]) => ({ pair: asText(`${code}/USD`), id }))
  return [
    {
      source: name,
      name,
      url: address(url, Object.values(ids)),
      ...sourceLimits(limits, MARKET_TTL_SECONDS),
      covers: (pair) => pairs.some((each) => each.pair === pair),
      read: (document) =>
        pipe(
          Answer.decode(document),
          E.map((prices) =>
            pairs.flatMap(({ pair, id }) => {
              const price = Price.decode(Object.hasOwn(prices, id) ? prices[id] : undefined)
              if (E.isLeft(price)) return []
              return [{ source: name, pair, rate: price.right.usd, observedAt: price.right.last_updated_at }]
            }),
          ),
          E.chain((found) => (found.length === 0 ? t.failure(document, [], 'no price is among them') : E.right(found))),
        ),
    },
  ]
}
