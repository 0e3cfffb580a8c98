import { Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Moment } from './decimal.ts'
import type { RateDocument } from './document.ts'
import { FIAT_TTL_SECONDS, fiatObservations, isFiatPair } from './fiat-table.ts'
import { SourceUrl, sourceFields, sourceLimits } from './source-fields.ts'

/** A table of currencies as open.er-api.com gives it at `/v6/latest/USD`. */
export const OpenErApi = t.intersection([
  t.strict({ kind: t.literal('open-er-api'), name: Text, url: SourceUrl }),
  sourceFields,
])

const RateTable = t.strict({
  result: t.literal('success'),
  base_code: t.literal('USD'),
  time_last_update_unix: Moment,
  rates: t.UnknownRecord,
})

export const openErApi = ({ name, url, ...limits }: t.TypeOf<typeof OpenErApi>): ReadonlyArray<RateDocument> => [
  {
    source: name,
    name,
    url,
    ...sourceLimits(limits, FIAT_TTL_SECONDS),
    covers: isFiatPair,
    read: (document) => {
      const table = RateTable.decode(document)
      if (E.isLeft(table)) return table
      return E.right(fiatObservations(name, table.right.rates, table.right.time_last_update_unix))
    },
  },
]
