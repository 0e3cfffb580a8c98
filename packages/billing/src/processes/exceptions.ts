import {
  type CheckoutId,
  type Credit,
  Exception,
  ExceptionId,
  type ExceptionKind,
  type PaymentId,
  type ReceivedMemo,
  type Stroops,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ExecuteFailure, execute } from '../execute.ts'
import { createdId } from '../identity/derive.ts'
import type { Services } from '../services.ts'
import { creditName } from './credit-name.ts'
import { stepContext, withoutRejection } from './steps.ts'

/** Money of a credit that does not fit. `amount` is the part that does not; by default all of it. */
export type Misfit = {
  readonly kind: ExceptionKind
  readonly credit: Credit
  readonly amount?: Stroops
  readonly checkoutId: CheckoutId | null
  readonly paymentId: PaymentId | null
  readonly memo?: ReceivedMemo
}

/**
 * Records the exception; once for each credit and kind, however often it is asked for. What a person had applied may not
 * fit there either: then it is another exception than the one that it was before.
 */
export const openException =
  ({ store }: Services) =>
  (
    scope: Scope,
    { kind, credit, amount = credit.amount, checkoutId, paymentId, memo }: Misfit,
  ): TE.TaskEither<ExecuteFailure, void> => {
    const { exceptionId } = credit
    const step = exceptionId === undefined ? `exception ${kind}` : `exception ${kind} ${exceptionId}`
    const context = stepContext(scope, creditName(scope, credit), step, credit.closedAt)
    const id = createdId(ExceptionId, context.at, context.commandId)
    const { assetId, transactionHash, operationIndex, ordinal, from, ledger, closedAt, origin } = credit
    const details = {
      kind,
      assetId,
      amount,
      transactionHash,
      operationIndex,
      ...(ordinal === undefined ? {} : { ordinal }),
      from,
      checkoutId,
      paymentId,
      ledger,
      closedAt,
      ...(origin === undefined ? {} : { origin }),
      ...(memo === undefined ? {} : { memo }),
      ...(exceptionId === undefined ? {} : { appliedFrom: exceptionId }),
    }
    const decide = Exception.decider.decide({ type: 'OpenException', ...details })
    return pipe(
      execute(store)(Exception, id, context, decide),
      T.map(withoutRejection),
      TE.map(() => undefined),
    )
  }
