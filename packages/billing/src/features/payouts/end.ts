import { type IntentEnd, Payout, PayoutBook, type PayoutCommand, PayoutId, type UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { resetsOf } from '../../kernel/epoch.ts'
import { bookId } from '../../kernel/payout-book.ts'
import { step } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { withdrawApproval } from '../limits/approval-of.ts'
import { paymentFailure } from '../outgoing/payment-failure.ts'
import type { Reporter } from '../outgoing/reporter.ts'

type PayoutEnd = Exclude<PayoutCommand, { readonly type: 'RequestPayout' }>

/** Reports to a payout how its intent ended, and releases its claim. */
export const reportToPayout: Reporter =
  (services, scope, { owner }, end, at) =>
  async () => {
    const ended = await endPayout(services, scope, decodeOrThrow(PayoutId, owner), payoutEnd(end, at))
    return E.isLeft(ended) ? ended : E.right(true)
  }

/** `at` is the time of an end that is in no ledger. */
const payoutEnd = (end: IntentEnd, at: UnixMs): PayoutEnd => {
  if (end._tag === 'given_up' && end.reason === 'withdrawn') return { type: 'CancelPayout', at }
  if (end._tag !== 'settled') return { type: 'FailPayout', ...paymentFailure(end, at) }
  const { transactionHash, ledger, closedAt } = end
  return { type: 'SettlePayout', transactionHash, ledger, closedAt }
}

/** Ends a payout, and then its claim. Once, however often; a different end than before is a failure. */
export const endPayout = async (
  services: Pick<Services, 'store' | 'readModels'>,
  scope: Scope,
  payoutId: PayoutId,
  end: PayoutEnd,
): Promise<E.Either<ProcessFailure, void>> => {
  const at = end.type === 'SettlePayout' ? end.closedAt : end.at
  const context = stepContextOf(scope, payoutId, end.type, at)
  const ended = await step(services.store)(Payout, payoutId, context, Payout.decider.decide(end))
  if (E.isLeft(ended)) return ended
  const { state } = ended.right
  if (state.status === 'absent' || state.status === 'pending') return E.right(undefined)
  const withdrawn = await withdrawApproval(services, scope, payoutId, at)
  if (E.isLeft(withdrawn)) return withdrawn
  const paidIn = state.status === 'succeeded' ? state.settlement.ledger : null
  const epoch = await resetsOf(services.readModels, scope.environment)
  const decide = PayoutBook.decider.decide({ type: 'EndPayoutClaim', payoutId, paidIn, epoch })
  const book = bookId(scope, state.details.assetId)
  const letGo = await step(services.store)(PayoutBook, book, stepContextOf(scope, payoutId, 'let go', at), decide)
  return E.isLeft(letGo) ? letGo : E.right(undefined)
}
