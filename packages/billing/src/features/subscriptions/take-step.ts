import { AuthorizationId, InvoiceId, type SubscriptionRecord, type SubscriptionStep, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import { payableId, payableReference } from '../../services/reference.ts'
import { startCharge } from '../charges/start-charge.ts'
import { withdrawCharge } from '../charges/withdraw-charge.ts'
import { livingCustomer } from '../customers/living.ts'
import { openInvoice } from '../invoices/open-invoice.ts'
import { applyPriceChange } from './apply-price-change.ts'
import { attemptCharge, lookAtCause } from './attempt.ts'
import type { CurrentSubscription, DueWork, StepTaken } from './due-work.ts'
import { endMandate } from './end-mandate.ts'
import { preflightNow } from './preflight.ts'
import { recordStep } from './record-step.ts'

export type Due = Exclude<SubscriptionStep, { readonly _tag: 'nothing' }>

/** Takes a step and records it. Returns false if it could not be taken; the next ledger brings it again. */
export const takeStep = async (
  work: DueWork,
  current: CurrentSubscription<SubscriptionRecord>,
  step: Due,
): StepTaken => {
  const { services, ingested } = work
  const { scope, id, state, cause, policy } = current
  const at = ingested.closedAt
  const record = recordStep(work, current, step._tag)
  const own = derivedCommandId(cause, step._tag)
  const authorizationId = await payableId(services, AuthorizationId, state.details.startedAt, own)
  const request = { authorizationId, reference: await payableReference(services, scope.environment, authorizationId) }
  switch (step._tag) {
    case 'end_at_boundary':
      return record({ type: 'EndAtBoundary', at })
    case 'hand_over_charge': {
      const started = await startCharge(services, scope, id, state, step.attempt)
      return E.isLeft(started) ? started : record({ type: 'HandOverCharge', paymentId: step.attempt.paymentId, at })
    }
    case 'withdraw_charge': {
      const { attempt, refusal } = step
      const withdrawn = await withdrawCharge(services, scope, id, state, attempt, refusal)
      return E.isLeft(withdrawn) ? withdrawn : record({ type: 'HandOverCharge', paymentId: attempt.paymentId, at })
    }
    case 'become_overdue': {
      const named = derivedCommandId(`${scope.environment}/${id}`, `invoice ${step.n}`)
      const invoiceId = await payableId(services, InvoiceId, since(state, at), named)
      const opened = await openInvoice(services, current, { invoiceId, subscriptionId: id, n: step.n }, at)
      return E.isLeft(opened) ? opened : record({ type: 'BecomeOverdue', invoiceId, at })
    }
    case 'cancel_unpaid':
      return record({ type: 'CancelUnpaid', at, policy })
    case 'end_access':
      return record({ type: 'EndAccess', at })
    case 'give_final_notice':
      return record({ type: 'GiveFinalNotice', at })
    case 'attempt_charge': {
      const customer = await livingCustomer(services, scope, state.details.customerId)
      if (E.isRight(customer)) return attemptCharge(work, current, step.charge)
      if (customer.left._tag === 'StoreUnavailable') return E.left(customer.left)
      return record({ type: 'CancelForDeletedCustomer', at })
    }
    case 'apply_price_change':
      return applyPriceChange(work, current, step.priceChange)
    case 'look_at_cause':
      return lookAtCause(work, current, step.charge)
    case 'request_authorization':
      return record({ type: 'RequestAuthorization', ...request, at })
    case 'announce_trial_end': {
      const problem = await preflightNow(services, current, at)
      return E.isLeft(problem) ? problem : record({ type: 'AnnounceTrialEnd', problem: problem.right, ...request, at })
    }
    case 'announce_renewal': {
      const problem = await preflightNow(services, current, at)
      return E.isLeft(problem)
        ? problem
        : record({ type: 'AnnounceRenewal', n: step.n, problem: problem.right, ...request, at })
    }
    case 'announce_expiry':
      return record({ type: 'AnnounceExpiry', at })
    case 'cancel_mandate': {
      const asked = await endMandate(services, scope, id, state, step, at)
      return E.isLeft(asked) ? asked : record({ type: 'RecordMandateCancellation', mandateId: step.mandateId, at })
    }
    case 'alarm_operator':
      return record({ type: 'AlarmOperator', cause: step.cause, at })
  }
}

/** When the debt became overdue, so that every process derives the same invoice id. */
const since = ({ collection }: SubscriptionRecord, now: number) =>
  unixMs(collection._tag === 'dunning' ? (collection.overdueAt ?? now) : now)
