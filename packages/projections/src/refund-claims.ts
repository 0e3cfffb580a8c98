import { Payment, type RecordedEvent, RefundId, UnixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/** The refund of a payment that is under way; null when none is. */
export const RefundClaimRow = t.strict({
  claim: t.union([t.null, t.strict({ refundId: RefundId, claimedAt: UnixMs })]),
})
export type RefundClaimRow = t.TypeOf<typeof RefundClaimRow>

const decode = decodedBy(Payment)

const fold = (row: O.Option<RefundClaimRow>, recorded: RecordedEvent): O.Option<RefundClaimRow> => {
  const event = decode(recorded)
  switch (event.type) {
    case 'RefundClaimed': {
      const { refundId, claimedAt } = event.data
      return O.some({ claim: { refundId, claimedAt } })
    }
    case 'RefundReleased':
    case 'PaymentRefunded':
      return O.some({ claim: null })
    case 'PaymentOpened':
    case 'PaymentSubmitted':
    case 'PaymentCredited':
    case 'PaymentConfirmed':
    case 'PaymentFailed':
    case 'ReturnClaimed':
      return row
  }
}

/** A claim is due until it has ended: a crash may have come right after it. */
export const refundClaims: ReadModel<RefundClaimRow> = {
  name: 'refund_claims',
  version: 2,
  category: Payment.category,
  row: RefundClaimRow,
  fold,
  columns: ({ claim }) => ({ dueAt: claim?.claimedAt ?? null }),
}
