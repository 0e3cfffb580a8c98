import { type IntentEnd, Payment, type PaymentCommand, PaymentId, type PaymentState } from '@quittance/domain'
import { mandateNumbers } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import { type Executed, type ExecuteFailure, step } from '../../kernel/execute.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { withoutRejection } from '../../services/steps.ts'
import { grantCredits } from '../credits/grant.ts'
import type { Reporter } from '../outgoing/reporter.ts'
import { paymentNow } from '../payments/payment-now.ts'
import { confirmCharge, failCharge } from './tell-subscription.ts'

/**
 * Tells the payment of a renewal how its charge ended, and then the subscription. Where the ledger has shown the money, it
 * is confirmed already, and that counts, whatever became of this intent. What is said to be charged is told once the money
 * was found: until then the end stays on the to-do list.
 */
export const reportToPayment: Reporter =
  (services, scope, { owner, action }, end, at) =>
  async () => {
    if (!PaymentId.is(owner) || action._tag !== 'charge') throw new Error(`${owner} wants no charge`)
    const found = withoutRejection(await paymentNow(services)(scope, owner)())
    if (E.isLeft(found)) return found
    const failure = failureOf(end, at)
    if (found.right.state.status === 'pending' && failure === null) return E.right(false)
    const ended =
      found.right.state.status === 'pending' && failure !== null
        ? await failPayment(services, scope, owner, failure)
        : found
    if (E.isLeft(ended)) return ended

    const { state } = ended.right
    switch (state.status) {
      case 'absent':
      case 'pending':
        throw new Error(`${owner} has not ended`)
      case 'confirmed': {
        const told = await confirmCharge(services, scope, owner, state)
        if (E.isLeft(told) || told.right === 'aside') return E.map(() => true)(told)
        return E.map(() => true)(await grantCredits(services, owner, ended.right))
      }
      case 'failed':
        return failCharge(services, scope, owner, state, action, end)
    }
  }

type Failure = Extract<PaymentCommand, { readonly type: 'FailPayment' }>

/** Why no money came; null where it did. `at` is the time of an end that is in no ledger. */
const failureOf = (end: IntentEnd, at: Failure['at']): Failure | null => {
  switch (end._tag) {
    case 'settled':
      return null
    case 'refused':
    case 'given_up': {
      const failedAt = end._tag === 'refused' ? end.closedAt : at
      if (end.code === undefined) return { type: 'FailPayment', reason: 'not_sent', at: failedAt }
      // An earlier sending landed.
      if (Number(end.code) === mandateNumbers.AlreadyCharged) return null
      return { type: 'FailPayment', reason: 'charge_refused', code: end.code, at: failedAt }
    }
  }
}

const failPayment = async (
  { store }: Services,
  scope: Scope,
  paymentId: PaymentId,
  failure: Failure,
): Promise<E.Either<ExecuteFailure, Executed<PaymentState>>> => {
  const context = stepContext(scope, derivedCommandId(scope.environment, paymentId), 'fail', failure.at)
  return await step(store)(Payment, paymentId, context, Payment.decider.decide(failure))
}
