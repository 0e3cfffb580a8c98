import { SubscriptionId } from '@quittance/domain'
import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { usageError } from '../command-error.ts'
import { printable } from '../printing.ts'
import { environmentOption, inEnvironment } from '../scope.ts'
import { decisionOf, decisionOptions } from './decision.ts'

export const subscriptionAllow: Command = {
  name: 'subscription allow',
  summary: 'Allows the charges of a subscription again after they were stopped.',
  explanation: `When three charges of a subscription fail in ledgers within a day, none is made for a day: something is wrong that
retrying does not cure (\`quittance subscription list\` shows such subscriptions, their history shows the failures). This
command allows charges earlier and resets the count: overdue charges are retried with the next ledger, others when they
are due. The history of the subscription, which its merchant can read, records it.`,
  argument: new Argument('<subscription_id>', 'The id of the subscription.'),
  options: [...decisionOptions, environmentOption],
  needsSoundLog: true,
  example: {
    words: 'sub_… --reason "the token was paused, and is not any more"',
    prints: 'Charges of sub_… are allowed again. It is past_due.',
    json: `{"subscription_id":"sub_…","status":"past_due","was_stopped":true,"by":"operator",
  "reason":"the token was paused, and is not any more"}`,
  },
  run: async (line, installation) => {
    const id = SubscriptionId.decode(line.required('subscription_id'))
    if (E.isLeft(id)) return E.left(usageError('The subscription takes an id, sub_….'))
    const decision = decisionOf(line)
    if (E.isLeft(decision)) return decision
    const request = { subscriptionId: id.right, ...decision.right }
    return inEnvironment(line, installation, async ({ subscriptionAlarms }, context) => {
      const allowed = await subscriptionAlarms.allow(context, request)()
      if (E.isLeft(allowed)) return allowed
      const { status, isNew } = allowed.right
      const text = isNew ? `Charges of ${id.right} are allowed again.` : `Charges of ${id.right} were not stopped.`
      return E.right({
        status: 0,
        json: { subscription_id: id.right, status, was_stopped: isNew, ...decision.right },
        text: printable(`${text} It is ${status}.`),
      })
    })
  },
}
