import { ExceptionId, RefundId } from '@quittance/domain'
import type { OwnTransaction } from '@quittance/ledger'
import { isRefundReference } from '../../services/reference.ts'
import type { Purpose } from './purpose.ts'

/**
 * What a forgotten payment was for; null if nothing in the log says so, or several things do. A memo decides. What the log is
 * about to pay comes before what it has lost: paying it again would be certain. Pending purposes that are alike, and returns
 * that are alike, are all the same to everybody, so the oldest counts; payments are not, since each grants something else.
 */
export const chosenPurpose = (
  purposes: ReadonlyArray<Purpose>,
  { memo, payments }: Pick<OwnTransaction, 'memo' | 'payments'>,
): Purpose | null => {
  const text = memo._tag === 'text' || memo._tag === 'id' ? memo.value : null
  const named = text === null ? [] : purposes.filter(({ memos }) => memos.includes(text))
  if (named.length > 0) return named.at(-1) ?? null
  const fitting = purposes.filter(fits(text, payments.length > 1))
  const pending = fitting.filter(({ isPending }) => isPending)
  if (pending.length > 0) return pending.at(-1) ?? null
  const isAlike = fitting.length === 1 || fitting.every(({ kind }) => kind === 'return')
  return isAlike ? (fitting.at(-1) ?? null) : null
}

/**
 * Whether a payment whose memo does not name a purpose may still be for it. Refunds that shared a transaction had no memo,
 * and returns that of the first. Earlier releases named a refund by its own id. What the log holds as money that does not fit
 * may have been a payment, which was refunded. A payout is alone and carries the memo of its destination.
 */
const fits =
  (memo: string | null, isBatch: boolean) =>
  ({ kind, isPending, memos }: Purpose): boolean => {
    if (isPending) return memo === null ? isBatch || memos.length === 0 : isBatch && ExceptionId.is(memo)
    const isRefundMemo = memo !== null && (RefundId.is(memo) || isRefundReference(memo))
    switch (kind) {
      case 'refund':
        return memo === null ? isBatch : RefundId.is(memo)
      case 'return':
        return memo === null ? isBatch : isRefundMemo || ExceptionId.is(memo)
      case 'payout':
        return memo === null && !isBatch && memos.length === 0
    }
  }
