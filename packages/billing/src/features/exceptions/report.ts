import { Exception, type ExceptionCommand, ExceptionId, type IntentEnd, ReturnId, type UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { step } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import { paymentFailure } from '../outgoing/payment-failure.ts'
import type { Reporter } from '../outgoing/reporter.ts'

/** Reports to an exception how its return ended. The memo names the exception, the owner the return. */
export const reportToException: Reporter =
  ({ store }, scope, { owner, memo }, end, at) =>
  async () => {
    const [id, returnId] = [decodeOrThrow(ExceptionId, memo), decodeOrThrow(ReturnId, owner)]
    const command = endOf(returnId, end, at)
    const context = stepContextOf(scope, returnId, command.type, at)
    const told = await step(store)(Exception, id, context, Exception.decider.decide(command))
    return E.isLeft(told) ? told : E.right(true)
  }

/** The end of a return, by that of its intent. `at` is the time of an end that is in no ledger. */
const endOf = (
  returnId: ReturnId,
  end: IntentEnd,
  at: UnixMs,
): Extract<ExceptionCommand, { readonly type: 'SettleReturn' | 'FailReturn' }> => {
  if (end._tag !== 'settled') return { type: 'FailReturn', returnId, ...paymentFailure(end, at) }
  const { transactionHash, ledger, closedAt } = end
  return { type: 'SettleReturn', returnId, transactionHash, ledger, closedAt }
}
