import { type IntentEnd, Payment, type PaymentCommand, PaymentId, type PaymentState } from '@quittance/domain'
import { mandateNumbers } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { Executed, ExecuteFailure } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { step } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { grantCredits } from '../credits/grant.ts'
import type { Reporter } from '../outgoing/reporter.ts'
import { confirmCharge, failCharge } from './tell-subscription.ts'

/**
 * Reports to the payment of a renewal how its charge ended, and then to the subscription. A payment that the ledger has
 * confirmed already stays confirmed, whatever became of this intent. Where the charge succeeded but its money was not found
 * yet, the end stays on the to-do list.
 */
export const reportToPayment: Reporter =
  (services, scope, { owner, action }, end, at) =>
  async () => {
    if (!PaymentId.is(owner) || action._tag !== 'charge') throw new Error(`${owner} wants no charge`)
    const found = await stateOf(services.store)(Payment, owner)
    if (E.isLeft(found)) return found
    const isPending = found.right.state.status === 'pending'
    const failure = failureOf(end, at)
    if (isPending && failure === null) return E.right(false)
    const ended = isPending && failure !== null ? await failPayment(services, scope, owner, failure) : found
    if (E.isLeft(ended)) return ended

    const { state } = ended.right
    switch (state.status) {
      case 'absent':
      case 'pending':
        throw new Error(`${owner} has not ended`)
      case 'confirmed': {
        const counted = await confirmCharge(services, scope, owner, state)
        if (E.isLeft(counted)) return counted
        const granted =
          counted.right === 'counts' ? await grantCredits(services, owner, ended.right) : E.right(undefined)
        return E.isLeft(granted) ? granted : E.right(true)
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
      if (end._tag === 'given_up' && end.reason === 'network_reset')
        return { type: 'FailPayment', reason: 'network_reset', at: failedAt }
      if (end.code === undefined) return { type: 'FailPayment', reason: 'not_sent', at: failedAt }
      // An earlier sending landed.
      if (Number(end.code) === mandateNumbers.AlreadyCharged) return null
      return { type: 'FailPayment', reason: 'charge_refused', code: end.code, at: failedAt }
    }
  }
}

const failPayment = (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  paymentId: PaymentId,
  failure: Failure,
): Promise<E.Either<ExecuteFailure, Executed<PaymentState>>> => {
  const context = stepContextOf(scope, paymentId, 'fail', failure.at)
  return step(store)(Payment, paymentId, context, Payment.decider.decide(failure))
}
