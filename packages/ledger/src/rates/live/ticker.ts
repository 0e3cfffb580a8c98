import { asText, Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { DecimalText, Moment } from './decimal.ts'
import type { RateDocument } from './document.ts'
import { MARKET_TTL_SECONDS, SourceUrl, sourceFields, sourceLimits } from './source-fields.ts'

/**
 * An exchange with one document for each market. `pairs`: its name for each pair, which stands for `{market}` in `url`,
 * `price` and `time`. `price` and `time` are where the document has them: field names and positions, with points
 * between; `time` is null for a document that names none.
 */
export const Ticker = t.intersection([
  t.strict({
    kind: t.literal('ticker'),
    name: Text,
    url: SourceUrl,
    price: t.string,
    time: t.union([t.string, t.null]),
    pairs: t.readonly(t.record(Text, t.string)),
  }),
  sourceFields,
])

/** What a document holds at a path; undefined where the path ends early. */
const at = (document: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (holder, key) =>
        Array.isArray(holder) || t.UnknownRecord.is(holder)
          ? Object.getOwnPropertyDescriptor(holder, key)?.value
          : undefined,
      document,
    )

export const ticker = ({
  name,
  url,
  price,
  time,
  pairs,
  ...limits
}: t.TypeOf<typeof Ticker>): ReadonlyArray<RateDocument> =>
  Object.entries(pairs).flatMap(([named, market]) => {
    const of = (text: string): string => text.replaceAll('{market}', market)
    const read: RateDocument['read'] = (document, receivedAt) => {
      const rate = DecimalText.decode(at(document, of(price)))
      if (E.isLeft(rate)) return rate
      const observedAt = time === null ? E.right(receivedAt) : Moment.decode(at(document, of(time)))
      if (E.isLeft(observedAt)) return observedAt
      return E.right([{ source: name, pair: asText(named), rate: rate.right, observedAt: observedAt.right }])
    }
    return {
      source: name,
      name: `${name} (${market})`,
      url: of(url),
      ...sourceLimits(limits, MARKET_TTL_SECONDS),
      covers: (pair) => pair === named,
      read,
    }
  })
