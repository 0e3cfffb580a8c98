import type { SubscriptionAlarm } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { printable } from '../printing.ts'
import { environmentOption, inEnvironment } from '../scope.ts'

export const subscriptionList: Command = {
  name: 'subscription list',
  summary: 'Lists subscriptions whose charges are stopped or stuck.',
  explanation: `Lists the subscriptions that need a decision of the operator: charges are stopped for a day after three of them failed
in ledgers within a day (\`quittance subscription allow\` allows them again), or a charge has had no outcome for a day, or
could not be made. It leaves out charges that are retried by themselves.`,
  options: [environmentOption],
  needsSoundLog: false,
  example: {
    words: '',
    prints: `sub_… (mer_…) is past_due: charges are stopped until 2026-11-21T17:02:03.000Z
sub_… (mer_…) is active: a charge could not be made for a day`,
    json: `[{"subscription_id":"sub_…","merchant_id":"mer_…","status":"past_due",
  "stopped_until":"2026-11-21T17:02:03.000Z","stuck":null}]`,
  },
  run: (line, installation) =>
    inEnvironment(line, installation, async ({ subscriptionAlarms }, { environment }) => {
      const standing = await subscriptionAlarms.standing(environment)()
      if (E.isLeft(standing)) return standing
      const alarms = standing.right
      return E.right({
        status: 0,
        json: alarms.map(jsonOf),
        text: alarms.length === 0 ? 'No subscription needs a decision.' : alarms.map(textOf).join('\n'),
      })
    }),
}

const jsonOf = ({ id, merchantId, status, stoppedUntil, stuck }: SubscriptionAlarm) => ({
  subscription_id: id,
  merchant_id: merchantId,
  status,
  stopped_until: stoppedUntil === null ? null : new Date(stoppedUntil).toISOString(),
  stuck,
})

const causes: Readonly<Record<NonNullable<SubscriptionAlarm['stuck']>, string>> = {
  outcome_unknown: 'a charge has had no outcome for a day',
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
