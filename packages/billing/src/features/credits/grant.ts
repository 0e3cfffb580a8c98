import {
  type BooksOf,
  CreditTransactionId,
  type PaymentId,
  type PaymentState,
  type Units,
  type UnixMs,
  units,
} from '@quittance/domain'
import { products as productModel, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { createdId } from '../../kernel/derive.ts'
import type { Executed, ExecuteFailure } from '../../kernel/execute.ts'
import { retrieve, type StoreUnavailable } from '../../kernel/load.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { enterStep } from './books.ts'

/** The credits, in units, that a payment grants at its confirmation; `since` is a position of the log before that. */
export type Bought = {
  readonly scope: Scope
  readonly of: BooksOf
  readonly granted: Units
  readonly confirmedAt: UnixMs
  readonly since: bigint
}

/** What a payment grants; null if it is not confirmed, has no customer, or is for a product without credits. */
export const boughtBy = async (
  { store }: Pick<Services, 'store'>,
  { state, events: [first] }: Executed<PaymentState>,
): Promise<E.Either<StoreUnavailable, Bought | null>> => {
  if (first === undefined || state.status !== 'confirmed') return E.right(null)
  const { customerId, productId } = state.details
  if (customerId === null || productId === null) return E.right(null)
  const { metadata: scope, position: since } = first
  const product = await retrieve(store)(productModel, productId, scope)
  if (E.isLeft(product)) return product
  if (O.isNone(product.right)) throw new Error(`a payment is for ${productId}, which does not exist`)
  const { totalCredits, unitsPerCredit } = product.right.value.row.details
  const granted = units(BigInt(totalCredits) * BigInt(unitsPerCredit))
  const { confirmedAt } = state.confirmation
  return E.right(granted === 0n ? null : { scope, of: { customerId, productId }, granted, confirmedAt, since })
}

/**
 * Grants what a confirmed payment has bought: the product's credits, in units, at the time of the confirmation. Once,
 * however often it is asked for. Guests have no books.
 */
export const grantCredits = async (
  services: Pick<Services, 'store' | 'readModels'>,
  paymentId: PaymentId,
  payment: Executed<PaymentState>,
): Promise<E.Either<ExecuteFailure, void>> => {
  const bought = await boughtBy(services, payment)
  if (E.isLeft(bought)) return bought
  return bought.right === null ? E.right(undefined) : grantBought(services, paymentId, bought.right)
}

export const grantBought = async (
  services: Pick<Services, 'store' | 'readModels'>,
  paymentId: PaymentId,
  { scope, of, granted, confirmedAt, since }: Bought,
): Promise<E.Either<ExecuteFailure, void>> => {
  const context = stepContextOf(scope, paymentId, 'grant credits', confirmedAt)
  const transactionId = createdId(CreditTransactionId, confirmedAt, context.commandId)
  const entry = { type: 'GrantCredits' as const, transactionId, paymentId, units: granted }
  const entered = await enterStep([], services, context, of, entry, since)
  return E.isLeft(entered) ? entered : E.right(undefined)
}
