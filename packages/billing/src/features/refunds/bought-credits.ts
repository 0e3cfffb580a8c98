import { type CreditsCommand, CreditTransactionId, type RefundId, type UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { withoutRejection } from '../../services/steps.ts'
import { balanceOf, type EntryFailure, enter } from '../credits/books.ts'
import { type Bought, boughtBy } from '../credits/bought.ts'
import { grantCredits } from '../credits/grant.ts'
import type { KnownPayment } from '../payments/payment-now.ts'

/** Some of the credits that the payment has granted are consumed: it is not given back. */
export type CreditsSpent = { readonly _tag: 'CreditsSpent' }

const spent: E.Either<CreditsSpent, never> = E.left({ _tag: 'CreditsSpent' })

/** Whether all credits are left that a payment has granted. What it has bought and not been granted yet, it is now. */
export const checkCredits = async (
  services: Services,
  payment: KnownPayment,
): Promise<E.Either<ExecuteFailure | CreditsSpent, void>> => {
  const bought = await boughtBy(services)(payment)()
  if (E.isLeft(bought)) return bought
  if (bought.right === null) return E.right(undefined)
  const granted = await grantCredits(services, payment.paymentId, payment)
  if (E.isLeft(granted)) return granted
  const balance = await balanceOf(services, bought.right.scope, bought.right.of, null)
  if (E.isLeft(balance)) return balance
  const grant = balance.right.grants.find(({ paymentId }) => paymentId === payment.paymentId)
  return grant?.left === bought.right.granted ? E.right(undefined) : spent
}

/** Takes the credits back that a payment has granted, all of them or none; once for each refund. */
export const takeCreditsBack = async (
  services: Services,
  payment: KnownPayment,
  refundId: RefundId,
  at: UnixMs,
): Promise<E.Either<ExecuteFailure | CreditsSpent, void>> => {
  const taken = await entry(services, payment, refundId, 'take credits back', at, () => ({ type: 'ReverseCredits' }))
  const isSpent = E.isLeft(taken) && (taken.left._tag === 'CreditsAreSpent' || taken.left._tag === 'GrantNotFound')
  return isSpent ? spent : withoutRejection(taken)
}

/** Gives the credits again that a refund has taken back which failed. */
export const giveCreditsAgain = async (
  services: Services,
  payment: KnownPayment,
  refundId: RefundId,
  at: UnixMs,
): Promise<E.Either<ExecuteFailure, void>> => {
  const again = ({ granted }: Bought) => ({ type: 'RestoreCredits' as const, units: granted })
  return withoutRejection(await entry(services, payment, refundId, 'give credits again', at, again))
}

type Entry = Extract<CreditsCommand, { readonly type: 'ReverseCredits' | 'RestoreCredits' }>
type Own<C extends Entry> = C extends Entry ? Omit<C, 'transactionId' | 'paymentId'> : never

const entry = async (
  services: Services,
  payment: KnownPayment,
  refundId: RefundId,
  step: string,
  at: UnixMs,
  entryOf: (bought: Bought) => Own<Entry>,
): Promise<E.Either<EntryFailure, void>> => {
  const bought = await boughtBy(services)(payment)()
  if (E.isLeft(bought)) return bought
  if (bought.right === null) return E.right(undefined)
  const { scope, of, since } = bought.right
  const { paymentId } = payment
  const context = stepContext(scope, derivedCommandId(scope.environment, refundId), step, at)
  const transactionId = createdId(CreditTransactionId, at, context.commandId)
  const entered = await enter(services, context, of, { ...entryOf(bought.right), transactionId, paymentId }, since)
  return E.map(() => undefined)(entered)
}
