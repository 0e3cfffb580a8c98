import { type CreditsCommand, CreditTransactionId, type RefundId, type UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { createdId } from '../../kernel/derive.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { balanceOf, enterStep } from '../credits/books.ts'
import { type Bought, boughtBy, grantBought } from '../credits/grant.ts'
import type { LoadedPayment } from '../payments/payments.ts'

/** Some of the credits that the payment has granted are consumed: it cannot be refunded. */
export type CreditsSpent = { readonly _tag: 'CreditsSpent' }

const spent: E.Either<CreditsSpent, never> = E.left({ _tag: 'CreditsSpent' })

/** Checks that all credits are left that a payment has granted. Grants first what it has bought and not been granted yet. */
export const checkCredits = async (
  services: Pick<Services, 'store' | 'readModels'>,
  payment: LoadedPayment,
): Promise<E.Either<ExecuteFailure | CreditsSpent, void>> => {
  const bought = await boughtBy(services, payment)
  if (E.isLeft(bought)) return bought
  if (bought.right === null) return E.right(undefined)
  const { scope, of, granted } = bought.right
  const done = await grantBought(services, payment.paymentId, bought.right)
  if (E.isLeft(done)) return done
  const balance = await balanceOf(services, scope, of)
  if (E.isLeft(balance)) return balance
  const grant = balance.right.grants.find(({ paymentId }) => paymentId === payment.paymentId)
  return grant?.left === granted ? E.right(undefined) : spent
}

/** Takes back the credits that a payment has granted, all of them or none; once for each refund. */
export const takeCreditsBack = async (
  services: Pick<Services, 'store' | 'readModels'>,
  payment: LoadedPayment,
  refundId: RefundId,
  at: UnixMs,
): Promise<E.Either<ExecuteFailure | CreditsSpent, void>> => {
  const reverse = () => ({ type: 'ReverseCredits' as const })
  const isTaken = await enterFor(services, payment, refundId, 'take credits back', at, reverse)
  if (E.isLeft(isTaken)) return isTaken
  return isTaken.right ? E.right(undefined) : spent
}

/** Restores the credits that a failed refund has taken back. */
export const restoreCredits = (
  services: Pick<Services, 'store' | 'readModels'>,
  payment: LoadedPayment,
  refundId: RefundId,
  at: UnixMs,
): Promise<E.Either<ExecuteFailure, unknown>> => {
  const restore = ({ granted }: Bought) => ({ type: 'RestoreCredits' as const, units: granted })
  return enterFor(services, payment, refundId, 'give credits again', at, restore)
}

type Entry = Extract<CreditsCommand, { readonly type: 'ReverseCredits' | 'RestoreCredits' }>
type Wanted<Command extends Entry> = Command extends Entry ? Omit<Command, 'transactionId' | 'paymentId'> : never

/** Enters what a refund does to the credits that its payment has bought, if any. False if some of them are spent. */
const enterFor = async (
  services: Pick<Services, 'store' | 'readModels'>,
  payment: LoadedPayment,
  refundId: RefundId,
  step: string,
  at: UnixMs,
  wantedOf: (bought: Bought) => Wanted<Entry>,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const bought = await boughtBy(services, payment)
  if (E.isLeft(bought)) return bought
  if (bought.right === null) return E.right(true)
  const { scope, of, since } = bought.right
  const { paymentId } = payment
  const context = stepContextOf(scope, refundId, step, at)
  const transactionId = createdId(CreditTransactionId, at, context.commandId)
  const entry = { ...wantedOf(bought.right), transactionId, paymentId }
  const entered = await enterStep(['CreditsAreSpent', 'GrantNotFound'], services, context, of, entry, since)
  return E.isLeft(entered) ? entered : E.right(entered.right !== null)
}
