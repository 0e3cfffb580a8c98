import {
  asText,
  type IntentEnd,
  Payout,
  PayoutBook,
  type PayoutCommand,
  PayoutId,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { execute, step } from '../../kernel/execute.ts'
import { bookId } from '../../kernel/payout-book.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { withoutRejection } from '../../services/steps.ts'
import { payoutRefusal } from '../outgoing/payout-refusal.ts'
import type { Reporter } from '../outgoing/reporter.ts'

type PayoutEnd = Exclude<PayoutCommand, { readonly type: 'RequestPayout' }>

/** Tells a payout how the movement ended that it wanted, and lets its money go. */
export const reportToPayout: Reporter = (services, scope, { owner }, end, at) =>
  pipe(
    () => endPayout(services, scope, decodeOrThrow(PayoutId, owner), payoutEnd(end, at)),
    TE.map(() => true),
  )

/** `at` is the time of an end that is in no ledger. */
const payoutEnd = (end: IntentEnd, at: UnixMs): PayoutEnd => {
  switch (end._tag) {
    case 'settled': {
      const { transactionHash, ledger, closedAt } = end
      return { type: 'SettlePayout', transactionHash, ledger, closedAt }
    }
    case 'refused':
      return { type: 'FailPayout', reason: payoutRefusal(end.code), code: end.code, at: end.closedAt }
    case 'given_up':
      if (end.reason === 'withdrawn') return { type: 'CancelPayout', at }
      return {
        type: 'FailPayout',
        reason: end.reason === 'insufficient_funds' ? 'insufficient_funds' : 'not_sent',
        code: asText(end.reason),
        at,
      }
  }
}

/** Ends a payout, and then its claim. Once, however often it is asked for; told another end, it throws. */
export const endPayout = async (
  services: Services,
  scope: Scope,
  payoutId: PayoutId,
  end: PayoutEnd,
): Promise<E.Either<ProcessFailure, void>> => {
  const at = end.type === 'SettlePayout' ? end.closedAt : end.at
  const cause = derivedCommandId(scope.environment, payoutId)
  const context = stepContext(scope, cause, end.type, at)
  const ended = await step(services.store)(Payout, payoutId, context, Payout.decider.decide(end))
  if (E.isLeft(ended)) return ended
  const { state } = ended.right
  if (state.status === 'absent' || state.status === 'pending') return E.right(undefined)
  const paidIn = state.status === 'succeeded' ? state.settlement.ledger : null
  const decide = PayoutBook.decider.decide({ type: 'EndPayoutClaim', payoutId, paidIn })
  const book = bookId(scope, state.details.assetId)
  const letGo = await execute(services.store)(PayoutBook, book, stepContext(scope, cause, 'let go', at), decide)
  return E.map(() => undefined)(withoutRejection(letGo))
}
