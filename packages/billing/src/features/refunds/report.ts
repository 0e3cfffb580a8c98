import { asText, type IntentEnd, RefundId, type UnixMs } from '@quittance/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { payoutRefusal } from '../outgoing/payout-refusal.ts'
import type { Reporter } from '../outgoing/reporter.ts'
import { endRefund, type RefundEnd } from './end.ts'

/** Tells a refund how the movement ended that it wanted. */
export const reportToRefund: Reporter = (services, scope, { owner }, end, at) =>
  pipe(
    () => endRefund(services, scope, decodeOrThrow(RefundId, owner), refundEnd(end, at)),
    TE.map(() => true),
  )

/** The end of a refund, by that of its intent. `at` is the time of an end that is in no ledger. */
export const refundEnd = (end: IntentEnd, at: UnixMs): RefundEnd => {
  switch (end._tag) {
    case 'settled': {
      const { transactionHash, ledger, closedAt } = end
      return { type: 'SettleRefund', transactionHash, ledger, closedAt }
    }
    case 'refused':
      return { type: 'FailRefund', reason: payoutRefusal(end.code), code: end.code, at: end.closedAt }
    case 'given_up':
      return { type: 'FailRefund', reason: 'not_sent', code: asText(end.reason), at }
  }
}
