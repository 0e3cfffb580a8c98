import { SubscriptionId } from '@quittance/domain'
import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { printable } from '../answer.ts'
import type { Command } from '../command.ts'
import { misuse } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { operatorContext } from '../site.ts'
import { decisionOf, decisionOptions } from './decision.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'subscription allow'

/** A person has looked at why charges of a subscription were stopped. */
export const subscriptionAllow: Command = {
  name,
  summary: 'Has charges of a subscription made again that were stopped.',
  explanation: `After three charges of a subscription that failed in a ledger within a day, none is made for a day: something is wrong
that trying does not cure (\`quittance subscription list\` shows them, its history what the ledger answered). This has
them made again before that, and counted anew: what is past due is tried with the next ledger, the rest when it is due.
It is recorded in the history of the subscription, which its merchant reads.`,
  argument: new Argument('<subscription_id>', 'The id of the subscription.'),
  options: [...decisionOptions, environmentOption],
  example: {
    words: 'sub_… --reason "the token was paused, and is not any more"',
    prints: 'Charges of sub_… are made again. It is past_due.',
    json: `{"subscription_id":"sub_…","status":"past_due","was_stopped":true,"by":"operator",
  "reason":"the token was paused, and is not any more"}`,
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const id = SubscriptionId.decode(given.required('subscription_id'))
    if (E.isLeft(id)) return TE.left(misuse('The subscription takes an id, sub_….', name))
    const decision = decisionOf(given, name)
    if (E.isLeft(decision)) return TE.left(decision.left)
    const request = { subscriptionId: id.right, ...decision.right }
    return site.withBilling((billing) =>
      pipe(
        billing.subscriptionAlarms.allow(operatorContext(billing, environment.right), request),
        TE.bimap(complaintOf, ({ status, isNew }) => ({
          status: 0,
          json: { subscription_id: id.right, status, was_stopped: isNew, ...decision.right },
          text: printable(
            `${isNew ? `Charges of ${id.right} are made again.` : `Nothing stops charges of ${id.right}.`} It is ${status}.`,
          ),
        })),
      ),
    )
  },
}
