import { Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Moment } from './decimal.ts'
import type { RateDocument } from './document.ts'
import { FIAT_TTL_SECONDS, fiatObservations, isFiatPair } from './fiat-table.ts'
import { SourceUrl, sourceFields, sourceLimits } from './source-fields.ts'

/** A table of currencies as `@fawazahmed0/currency-api` publishes it at `/v1/currencies/usd.json`. */
export const CurrencyApi = t.intersection([
  t.strict({ kind: t.literal('currency-api'), name: Text, url: SourceUrl }),
  sourceFields,
])

/** The table names only its day, whose beginning counts: so it never seems younger than it is. */
const RateTable = t.strict({ date: Moment, usd: t.UnknownRecord })

export const currencyApi = ({ name, url, ...limits }: t.TypeOf<typeof CurrencyApi>): ReadonlyArray<RateDocument> => [
  {
    source: name,
    name,
    url,
    ...sourceLimits(limits, FIAT_TTL_SECONDS),
    covers: isFiatPair,
    read: (document) => {
      const table = RateTable.decode(document)
      return E.isLeft(table) ? table : E.right(fiatObservations(name, table.right.usd, table.right.date))
    },
  },
]
