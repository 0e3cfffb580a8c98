import { Memo, PayoutId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'

/** A text of more than 28 bytes of UTF-8, the id of a payout, or an id that is no number of 64 bits. */
export type MemoMalformed = { readonly _tag: 'MemoMalformed'; readonly type: 'text' | 'id' }

/**
 * Reads a memo as a caller writes it: `text` unless they say `id`. The id of a payout marks a collection of the operator's fees,
 * so that no other payment bears one.
 */
export const readMemo = (value: string | null, type: 'text' | 'id' | null): E.Either<MemoMalformed, Memo | null> => {
  if (value === null) return E.right(null)
  const wanted = { type: type ?? 'text', value }
  return Memo.is(wanted) && !PayoutId.is(value) ? E.right(wanted) : E.left({ _tag: 'MemoMalformed', type: wanted.type })
}
