import {
  type Policy,
  Subscription,
  type SubscriptionCommand,
  type SubscriptionState,
  type UnixMs,
} from '@quittance/domain'
import type { Life } from '@quittance/domain/testing/subscription-life'
import * as E from 'fp-ts/lib/Either.js'
import type { Act } from '../acts.ts'

const timeOf = (command: SubscriptionCommand): UnixMs => {
  if ('at' in command) return command.at
  if ('closedAt' in command) return command.closedAt
  if (command.type === 'RecordAllowance') return command.approval.approvedAt
  if (command.type === 'StartSubscription') return command.startedAt
  throw new Error(`${command.type} has no time`)
}

/** What a life has recorded, act by act, with the policy that counted. */
export const actsOfLife = ({ accepted, policy }: Life): ReadonlyArray<Act & { readonly policy: Policy }> => {
  const { initial, decide } = Subscription.decider
  let before: SubscriptionState = initial
  let revision = 0n
  return accepted.flatMap(({ command, state }) => {
    const decided = decide(command)(before)
    before = state
    const events = E.isRight(decided) ? decided.right : []
    const act = { revision, position: revision, at: timeOf(command), events, policy }
    revision += BigInt(events.length)
    return events.length === 0 ? [] : [act]
  })
}
