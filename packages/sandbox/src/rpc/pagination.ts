import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { invalidParams, invalidRequest, type RpcContext, type RpcError } from './method.ts'

const defaultLimit = 50
const maxLimit = 200

export const Page = t.partial({
  startLedger: t.Int,
  pagination: t.union([t.null, t.partial({ cursor: t.string, limit: t.Int })]),
})

/** Where a page begins: at a ledger, or after a cursor. */
export type PageStart = { readonly limit: number } & (
  | { readonly startLedger: number }
  | { readonly cursor: bigint; readonly cursorText: string }
)

/**
 * Reads start, cursor and limit with a node's own errors. A start outside the stored ledgers is an error, even a future
 * one.
 */
export const pageStart = (
  { startLedger: asked, pagination }: t.TypeOf<typeof Page>,
  { read }: RpcContext,
): E.Either<RpcError, PageStart> => {
  const startLedger: number = asked ?? 0
  const { oldest, latest } = read.range()
  const cursorText = pagination?.cursor ?? ''
  const askedLimit = pagination?.limit ?? 0
  if (cursorText !== '' && startLedger !== 0)
    return invalidRequest(`startLedger (${startLedger}) and cursor (${cursorText}) cannot both be set`)
  if (cursorText === '' && (startLedger < oldest.sequence || startLedger > latest.sequence))
    return invalidRequest(
      `start ledger (${startLedger}) must be between the oldest ledger: ${oldest.sequence} and the latest ledger: ${latest.sequence} for this rpc instance`,
    )
  if (askedLimit > maxLimit || askedLimit < 0) return invalidRequest(`limit must not exceed ${maxLimit}`)
  const limit = askedLimit === 0 ? defaultLimit : askedLimit
  if (cursorText === '') return E.right({ limit, startLedger })
  return /^\d{1,19}$/.test(cursorText)
    ? E.right({ limit, cursor: BigInt(cursorText), cursorText })
    : invalidParams(`strconv.ParseInt: parsing "${cursorText}": invalid syntax`)
}
