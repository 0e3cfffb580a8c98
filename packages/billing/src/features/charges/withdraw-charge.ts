import {
  asText,
  type CertainRefusal,
  Intent,
  type IntentEvent,
  type SubscriptionId,
  type SubscriptionRecord,
} from '@quittance/domain'
import { mandateNumbers } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { step } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { intentIdOf } from '../outgoing/record-intent.ts'
import { openPayment, wantedBy } from './start-charge.ts'

type Attempt = SubscriptionRecord['attempts'][number]

/** The error number that the contract would answer, where it is certain without sending the charge. */
const numberOf: Readonly<Record<CertainRefusal, number>> = {
  above_cap: mandateNumbers.AboveCap,
  mandate_ended: mandateNumbers.Cancelled,
}

/**
 * Ends an attempt that was not handed over: one write records its intent and gives it up, so that no other process can have
 * it charged later. If another process recorded the intent first, the charge takes its course. Either way its end is
 * reported to the payment and the subscription as usual.
 */
export const withdrawCharge = async (
  services: Pick<Services, 'store'>,
  scope: Scope,
  subscriptionId: SubscriptionId,
  subscription: SubscriptionRecord,
  attempt: Attempt,
  refusal: CertainRefusal | null,
): Promise<E.Either<ExecuteFailure, void>> => {
  const opened = await openPayment(services, scope, subscriptionId, subscription, attempt)
  if (E.isLeft(opened)) return opened
  const { at, ...details } = wantedBy(subscription, attempt)
  const id = intentIdOf(scope, details.owner)
  const context = stepContextOf(scope, details.owner, 'withdraw', at)
  const givenUp: ReadonlyArray<IntentEvent> = [
    { type: 'IntentRecorded', data: details },
    {
      type: 'IntentGivenUp',
      data:
        refusal === null
          ? { reason: 'withdrawn' }
          : { reason: 'simulation_failed', code: asText(numberOf[refusal].toString()) },
    },
  ]
  const done = await step(services.store)(Intent, id, context, (state) =>
    E.right(state.status === 'absent' ? givenUp : []),
  )
  return E.isLeft(done) ? done : E.right(undefined)
}
