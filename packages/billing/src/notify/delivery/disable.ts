import { Webhook } from '@quittance/domain'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type ExecuteFailure, execute } from '../../kernel/execute.ts'
import type { Services } from '../../services/services.ts'
import { stepContext, unlessRejected } from '../../services/steps.ts'
import type { ToDisable } from './record-outcomes.ts'

/** Disables an endpoint for what an attempt came to, unless the merchant has changed it since. */
export const disable =
  ({ store, clock }: Services) =>
  ({ endpoint, delivery, reason }: ToDisable): TE.TaskEither<ExecuteFailure, unknown> =>
  async () => {
    const context = stepContext(endpoint, `${delivery.id}/${delivery.attempts}`, 'disable', clock.now())
    const decide = Webhook.decider.decide({ type: 'DisableWebhook', reason, url: endpoint.url })
    return unlessRejected(await execute(store)(Webhook, endpoint.id, context, decide)())
  }
