import {
  type AccountId,
  type CheckoutId,
  Exception,
  ExceptionId,
  type ExceptionKind,
  type IncomingPayment,
  type PaymentId,
  type ReceivedMemo,
  type Stroops,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import { incomingPaymentName } from '../../kernel/incoming-payment-name.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { withoutRejection } from '../../services/steps.ts'

/** Money of a credit that does not fit. `amount` is the part that does not; by default all of it. */
export type Misfit = {
  readonly kind: ExceptionKind
  readonly credit: IncomingPayment
  readonly amount?: Stroops
  readonly checkoutId: CheckoutId | null
  readonly paymentId: PaymentId | null
  readonly memo?: ReceivedMemo
  /** Which account has received it, where no checkout says so. */
  readonly account?: AccountId
}

/**
 * The command that opens an exception of this kind, and the id that it gives: by what the ledger names the money, or
 * whatever else it is about. `appliedFrom` tells apart what was another exception before.
 */
export const openingOf = (
  scope: Scope,
  cause: string,
  kind: ExceptionKind,
  at: UnixMs,
  appliedFrom?: ExceptionId,
): { readonly context: CommandContext; readonly id: ExceptionId } => {
  const step = appliedFrom === undefined ? `exception ${kind}` : `exception ${kind} ${appliedFrom}`
  const context = stepContext(scope, cause, step, at)
  return { context, id: createdId(ExceptionId, at, context.commandId) }
}

/**
 * Records the exception; once for each credit and kind, however often it is asked for. What a person had applied may not
 * fit there either: then it is another exception than the one that it was before.
 */
export const openException =
  ({ store }: Services) =>
  (
    scope: Scope,
    { kind, credit, amount = credit.amount, checkoutId, paymentId, memo, account }: Misfit,
  ): TE.TaskEither<ExecuteFailure, void> => {
    const { exceptionId } = credit
    const { context, id } = openingOf(scope, incomingPaymentName(scope, credit), kind, credit.closedAt, exceptionId)
    const { assetId, transactionHash, operationIndex, ordinal, from, ledger, closedAt, origin, mandateId } = credit
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
      ...(account === undefined ? {} : { account }),
      ...(mandateId === undefined ? {} : { mandateId }),
      ...(exceptionId === undefined ? {} : { appliedFrom: exceptionId }),
    }
    const decide = Exception.decider.decide({ type: 'OpenException', ...details })
    return pipe(
      executeLater(store)(Exception, id, context, decide),
      T.map(withoutRejection),
      TE.map(() => undefined),
    )
  }
