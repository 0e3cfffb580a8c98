import { CreditTransactionId, type PaymentId, type PaymentState } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import type { Executed, ExecuteFailure } from '../../kernel/execute.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { withoutRejection } from '../../services/steps.ts'
import { enter } from './books.ts'
import { boughtBy } from './bought.ts'

/**
 * Grants what a payment has bought, once it is confirmed: the product's credits, in units, at the time of the
 * confirmation. Once, however often it is asked for. Who pays as a guest has no books.
 */
export const grantCredits = async (
  services: Services,
  paymentId: PaymentId,
  payment: Executed<PaymentState>,
): Promise<E.Either<ExecuteFailure, void>> => {
  const bought = await boughtBy(services)(payment)()
  if (E.isLeft(bought)) return bought
  if (bought.right === null) return E.right(undefined)
  const { scope, of, granted, confirmedAt, since } = bought.right
  const context = stepContext(scope, derivedCommandId(scope.environment, paymentId), 'grant credits', confirmedAt)
  const transactionId = createdId(CreditTransactionId, confirmedAt, context.commandId)
  const entry = { type: 'GrantCredits' as const, transactionId, paymentId, units: granted }
  const entered = await enter(services, context, of, entry, since)
  return E.map(() => undefined)(withoutRejection(entered))
}
