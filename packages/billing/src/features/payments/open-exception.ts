import {
  type AccountId,
  type CheckoutId,
  Exception,
  ExceptionId,
  type ExceptionKind,
  type ExceptionRecord,
  type IncomingPayment,
  type PaymentId,
  type ReceivedMemo,
  type Stroops,
  type UnixMs,
} from '@quittance/domain'
import { incomingPaymentKey, type ReadModels, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { createdId } from '../../kernel/derive.ts'
import type { CommandContext, ExecuteFailure } from '../../kernel/execute.ts'
import { incomingPaymentName } from '../../kernel/incoming-payment-name.ts'
import { isIn } from '../../kernel/load.ts'
import { step } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'

/** An incoming payment that does not fit. `amount` is the part that does not; by default all of it. */
export type Misfit = {
  readonly kind: ExceptionKind
  readonly incoming: IncomingPayment
  readonly amount?: Stroops
  readonly checkoutId: CheckoutId | null
  readonly paymentId: PaymentId | null
  readonly memo?: ReceivedMemo
  /** The account that received it, where no checkout says so. */
  readonly account?: AccountId
}

/**
 * The command that opens an exception of this kind, and the id that it gives. `cause` is the ledger's name of the money, or
 * of anything else that it is about; `appliedFrom` sets it apart from the exception that the money was before.
 */
export const openingOf = (
  scope: Scope,
  cause: string,
  kind: ExceptionKind,
  at: UnixMs,
  appliedFrom?: ExceptionId,
): { readonly context: CommandContext; readonly id: ExceptionId } => {
  const named = appliedFrom === undefined ? `exception ${kind}` : `exception ${kind} ${appliedFrom}`
  const context = stepContext(scope, cause, named, at)
  return { context, id: createdId(ExceptionId, at, context.commandId) }
}

/**
 * The exceptions that recorded a payment, or a sum of which it is the first, as money for no session. It stays that: a
 * restored log may make its session again before its ledger is ingested once more.
 */
export const openedForNoSession = async (
  { exceptions }: Pick<ReadModels, 'exceptions'>,
  scope: Scope,
  incoming: Pick<IncomingPayment, 'transactionHash' | 'operationIndex' | 'ordinal'>,
): Promise<ReadonlyArray<ExceptionRecord['details']>> =>
  (await exceptions.withKey(incomingPaymentKey(incoming))).flatMap((found) => {
    const { details } = found.row
    const isForNone = (details.kind === 'unmatched' || details.kind === 'dust') && details.checkoutId === null
    return isIn(scope, found) && isForNone ? [details] : []
  })

/**
 * Records the exception: once for each incoming payment and kind, however often it is asked for. Money that an operator
 * applied and that does not fit there either becomes another exception than before.
 */
export const openException = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  { kind, incoming, amount = incoming.amount, checkoutId, paymentId, memo, account }: Misfit,
): Promise<E.Either<ExecuteFailure, void>> => {
  const { assetId, transactionHash, operationIndex, ordinal, from, ledger, closedAt } = incoming
  const { origin, mandateId, exceptionId, sum } = incoming
  const { context, id } = openingOf(scope, incomingPaymentName(scope, incoming), kind, closedAt, exceptionId)
  const decide = Exception.decider.decide({
    type: 'OpenException',
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
    ...(sum === undefined ? {} : { sum }),
  })
  const opened = await step(store)(Exception, id, context, decide)
  return E.isLeft(opened) ? opened : E.right(undefined)
}
