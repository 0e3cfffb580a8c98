import {
  type CheckoutId,
  type Credit,
  Exception,
  ExceptionId,
  type ExceptionKind,
  type PaymentId,
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
}

/** Records the exception; once for each credit and kind, however often it is asked for. */
export const openException =
  ({ store }: Services) =>
  (
    scope: Scope,
    { kind, credit, amount = credit.amount, checkoutId, paymentId }: Misfit,
  ): TE.TaskEither<ExecuteFailure, void> => {
    const context = stepContext(scope, creditName(scope, credit), `exception ${kind}`, credit.closedAt)
    const id = createdId(ExceptionId, context.at, context.commandId)
    const { assetId, transactionHash, operationIndex, ordinal, from, ledger, closedAt } = credit
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
    }
    const decide = Exception.decider.decide({ type: 'OpenException', ...details })
    return pipe(
      execute(store)(Exception, id, context, decide),
      T.map(withoutRejection),
      TE.map(() => undefined),
    )
  }
