import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { invalidParams, invalidRequest, method, rangeAsText } from './method.ts'

const maxScanned = 10_000
const digits = 19

const Scan = t.partial({
  startLedger: t.Int,
  endLedger: t.Int,
  pagination: t.union([t.null, t.partial({ cursor: t.string, limit: t.Int })]),
})

/** The place behind every event of a ledger. */
const behind = (ledger: number): string =>
  `${((BigInt(ledger + 1) << 32n) - 1n).toString().padStart(digits, '0')}-4294967295`

/** Events come from contracts, and this network has none: every range of ledgers is empty. */
export const getEvents = method(Scan, ({ startLedger, endLedger, pagination }, context) => {
  const { oldest, latest } = context.read.range()
  const cursor = pagination?.cursor ?? ''
  const parts = /^(\d{19})-\d{10}$/.exec(cursor)
  if (cursor !== '' && parts === null) return invalidParams(`invalid event id ${cursor}`)
  const start = parts?.[1] === undefined ? (startLedger ?? 0) : Number(BigInt(parts[1]) >> 32n)
  if (cursor === '' && (start < oldest.sequence || start > latest.sequence))
    return invalidRequest(`startLedger must be within the ledger range: ${oldest.sequence} - ${latest.sequence}`)
  const last = Math.min(start + maxScanned - 1, latest.sequence, (endLedger ?? latest.sequence + 1) - 1)
  return E.right({ events: [], ...rangeAsText(context), cursor: behind(Math.max(start, last)) })
})
