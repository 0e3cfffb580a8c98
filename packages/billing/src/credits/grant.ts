import { CreditTransactionId, type PaymentId, type PaymentState, units } from '@quittance/domain'
import { products as productModel } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Executed, ExecuteFailure } from '../execute.ts'
import { consequence, createdId } from '../identity/derive.ts'
import { retrieve } from '../load.ts'
import { stepContext, withoutRejection } from '../processes/steps.ts'
import type { Services } from '../services.ts'
import { enter } from './books.ts'

/**
 * Grants what a payment has bought, once it is confirmed: the product's credits, in units, at the time of the
 * confirmation. Once, however often it is asked for. Who pays as a guest has no books.
 */
export const grantCredits =
  (services: Services) =>
  (paymentId: PaymentId, { state, events: [first] }: Executed<PaymentState>): TE.TaskEither<ExecuteFailure, void> =>
  async () => {
    if (first === undefined || state.status !== 'confirmed') return E.right(undefined)
    const { customerId, productId } = state.details
    if (customerId === null || productId === null) return E.right(undefined)
    const { metadata: scope, position: since } = first
    const product = await retrieve(services.store)(productModel, productId, scope)()
    if (E.isLeft(product)) return product
    if (O.isNone(product.right)) throw new Error(`${paymentId} has paid for ${productId}, which does not exist`)
    const { totalCredits, unitsPerCredit } = product.right.value.row.details
    const granted = units(BigInt(totalCredits) * BigInt(unitsPerCredit))
    if (granted === 0n) return E.right(undefined)

    const { confirmedAt } = state.confirmation
    const context = stepContext(scope, consequence(scope.environment, paymentId), 'grant credits', confirmedAt)
    const transactionId = createdId(CreditTransactionId, confirmedAt, context.commandId)
    const entry = { type: 'GrantCredits' as const, transactionId, paymentId, units: granted }
    const entered = await enter(services)(context, { customerId, productId }, entry, since)()
    return E.map(() => undefined)(withoutRejection(entered))
  }
