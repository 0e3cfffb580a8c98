import { Webhook } from '@quittance/domain'
import type * as E from 'fp-ts/lib/Either.js'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import type { ToDisable } from './record-outcomes.ts'

/** Disables an endpoint after a failed attempt, unless the merchant has changed or removed it since. */
export const disable =
  ({ store, clock }: Pick<Services, 'store' | 'clock'>) =>
  ({ endpoint, delivery, reason }: ToDisable): Promise<E.Either<ExecuteFailure, unknown>> => {
    const context = stepContext(
      endpoint,
      `${delivery.id}/${delivery.attempts}`,
      'disable',
      clock.now(endpoint.environment),
    )
    const decide = Webhook.decider.decide({ type: 'DisableWebhook', reason, url: endpoint.url })
    return stepUnless(store)(['WebhookNotFound'], Webhook, endpoint.id, context, decide)
  }
