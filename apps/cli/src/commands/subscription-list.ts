import type { SubscriptionAlarm } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, printable } from '../answer.ts'
import type { Command } from '../command.ts'
import { complaintOf } from '../failures.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'subscription list'

/** Subscriptions whose charges go wrong in a way that a person has to look at. */
export const subscriptionList: Command = {
  name,
  summary: 'Shows subscriptions whose charges are stopped or stuck.',
  explanation: `Shows each subscription that a person has to look at: charges are stopped for a day after three of them failed in a
ledger within one (\`quittance subscription allow\` has them made again), or a charge has had no end for a day, or could
not be made. Whatever goes well, or is tried again by itself, is left out.`,
  options: [environmentOption],
  example: {
    words: '',
    prints: `sub_… (mer_…) is past_due: charges are stopped until 2026-11-21T17:02:03.000Z
sub_… (mer_…) is active: a charge could not be made for a day`,
    json: `[{"subscription_id":"sub_…","merchant_id":"mer_…","status":"past_due",
  "stopped_until":"2026-11-21T17:02:03.000Z","stuck":null}]`,
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    return site.withBilling((billing) =>
      pipe(
        billing.subscriptionAlarms.standing(environment.right),
        TE.bimap(
          complaintOf,
          (standing): Answer => ({
            status: 0,
            json: standing.map(jsonOf),
            text: standing.length === 0 ? 'No subscription waits for a person.' : standing.map(textOf).join('\n'),
          }),
        ),
      ),
    )
  },
}

const jsonOf = ({ id, merchantId, status, stoppedUntil, stuck }: SubscriptionAlarm) => ({
  subscription_id: id,
  merchant_id: merchantId,
  status,
  stopped_until: stoppedUntil === null ? null : new Date(stoppedUntil).toISOString(),
  stuck,
})

const causes: Readonly<Record<NonNullable<SubscriptionAlarm['stuck']>, string>> = {
  outcome_unknown: 'a charge has had no end for a day',
  charge_stuck: 'a charge could not be made for a day',
}

const textOf = (alarm: SubscriptionAlarm): string => {
  const { subscription_id, merchant_id, status, stopped_until, stuck } = jsonOf(alarm)
  const reasons = [
    ...(stopped_until === null ? [] : [`charges are stopped until ${stopped_until}`]),
    ...(stuck === null ? [] : [causes[stuck]]),
  ]
  return printable(`${subscription_id} (${merchant_id}) is ${status}: ${reasons.join('; ')}`)
}
