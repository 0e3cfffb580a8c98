import { AuthorizationId, InvoiceId, type SubscriptionRecord, type SubscriptionStep, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { startCharge } from '../charges/start-charge.ts'
import { withdrawCharge } from '../charges/withdraw-charge.ts'
import { livingCustomer } from '../customers/living.ts'
import { openInvoice } from '../invoices/open-invoice.ts'
import { attemptCharge, lookAtCause } from './attempt.ts'
import { endMandate } from './end-mandate.ts'
import { preflightNow } from './preflight.ts'
import { recordStep } from './record-step.ts'
import type { Carrying, Standing, Taken } from './standing.ts'

export type Due = Exclude<SubscriptionStep, { readonly _tag: 'nothing' }>

/** Takes a step, and records that it was taken. False where it could not be: it is met again with the next ledger. */
export const takeStep = async (carrying: Carrying, place: Standing<SubscriptionRecord>, step: Due): Taken => {
  const { services, ingested } = carrying
  const { scope, id, state, cause, policy } = place
  const at = ingested.closedAt
  const tell = recordStep(carrying, place, step._tag)
  const authorizationId = createdId(AuthorizationId, state.details.startedAt, derivedCommandId(cause, step._tag))
  switch (step._tag) {
    case 'end_at_boundary':
      return tell({ type: 'EndAtBoundary', at })
    case 'hand_over_charge': {
      const started = await startCharge(services, scope, id, state, step.attempt)
      return E.isLeft(started) ? started : tell({ type: 'HandOverCharge', paymentId: step.attempt.paymentId, at })
    }
    case 'withdraw_charge': {
      const { attempt, refusal } = step
      const withdrawn = await withdrawCharge(services, scope, id, state, attempt, refusal)
      return E.isLeft(withdrawn) ? withdrawn : tell({ type: 'HandOverCharge', paymentId: attempt.paymentId, at })
    }
    case 'become_overdue': {
      const named = derivedCommandId(`${scope.environment}/${id}`, `invoice ${step.n}`)
      const invoiceId = createdId(InvoiceId, since(state, at), named)
      const opened = await openInvoice(services, scope, state, { invoiceId, subscriptionId: id, n: step.n }, policy)
      return E.isLeft(opened) ? opened : tell({ type: 'BecomeOverdue', invoiceId, at })
    }
    case 'cancel_unpaid':
      return tell({ type: 'CancelUnpaid', at, policy })
    case 'give_final_notice':
      return tell({ type: 'GiveFinalNotice', at })
    case 'attempt_charge': {
      const customer = await livingCustomer(services, scope, state.details.customerId)
      if (E.isRight(customer)) return attemptCharge(carrying, place, step.charge)
      if (customer.left._tag === 'StoreUnavailable') return E.left(customer.left)
      return tell({ type: 'CancelForDeletedCustomer', at })
    }
    case 'look_at_cause':
      return lookAtCause(carrying, place, step.charge)
    case 'request_authorization':
      return tell({ type: 'RequestAuthorization', authorizationId, at })
    case 'announce_trial_end': {
      const problem = await preflightNow(services, place, at)
      return E.isLeft(problem)
        ? problem
        : tell({ type: 'AnnounceTrialEnd', problem: problem.right, authorizationId, at })
    }
    case 'announce_renewal': {
      const problem = await preflightNow(services, place, at)
      return E.isLeft(problem)
        ? problem
        : tell({ type: 'AnnounceRenewal', n: step.n, problem: problem.right, authorizationId, at })
    }
    case 'announce_expiry':
      return tell({ type: 'AnnounceExpiry', at })
    case 'cancel_mandate': {
      const asked = await endMandate(services, scope, id, state, step.mandateId, step.number, at)
      return E.isLeft(asked) ? asked : tell({ type: 'RecordMandateCancellation', mandateId: step.mandateId, at })
    }
    case 'alarm_operator':
      return tell({ type: 'AlarmOperator', cause: step.cause, at })
  }
}

/** When what is owed became overdue, so that whoever finds it names the same invoice. */
const since = ({ collection }: SubscriptionRecord, now: number) =>
  unixMs(collection._tag === 'dunning' ? (collection.overdueAt ?? now) : now)
