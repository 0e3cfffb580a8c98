import {
  isSame,
  type Policy,
  Subscription,
  type SubscriptionCommand,
  type SubscriptionEvent,
  type SubscriptionRecord,
  type UnixMs,
} from '@quittance/domain'
import { behindSubscription } from '@quittance/domain/replay'
import * as E from 'fp-ts/lib/Either.js'
import type { Act } from './acts.ts'
import { asksFor } from './asks.ts'
import { type Role, roleOf } from './roles.ts'
import { byPolicy } from './simulation.ts'

/** An act, the command behind it, the policy that counted, and the state that it made. */
export type TracedAct = {
  readonly at: UnixMs
  readonly policy: Policy
  readonly command: SubscriptionCommand
  readonly role: Role
  readonly events: ReadonlyArray<SubscriptionEvent>
  readonly state: SubscriptionRecord
}

/** The first act that no command reproduces, or that was not due: `revision` is that of its first event. */
export type NotReproduced = {
  readonly _tag: 'NotReproduced'
  readonly revision: bigint
  readonly why: 'no_command' | 'not_due'
}

const { initial, decide, evolve } = Subscription.decider

/** The state after some events of a subscription that exists by then. */
export const stateAfter = (
  before: SubscriptionRecord | typeof initial,
  events: ReadonlyArray<SubscriptionEvent>,
): SubscriptionRecord | null => {
  const state = events.reduce(evolve, before)
  return state.status === 'absent' ? null : state
}

/**
 * The control of every replay: finds the command behind each act, has it decided again by the policy that counted then, and
 * compares event by event. What the clock did must have been due.
 */
export const traced = (
  acts: ReadonlyArray<Act>,
  policyOf: (act: Act) => Policy,
): E.Either<NotReproduced, ReadonlyArray<TracedAct>> => {
  const done: Array<TracedAct> = []
  let before: SubscriptionRecord | null = null
  for (const act of acts) {
    const failed = (why: NotReproduced['why']) =>
      E.left<NotReproduced>({ _tag: 'NotReproduced', revision: act.revision, why })
    const policy = policyOf(act)
    const command = commandOf(before, act, policy)
    const state = stateAfter(before ?? initial, act.events)
    if (command === null || state === null) return failed('no_command')
    const role = roleOf(command)
    if (role === 'clock' && (before === null || !asksFor(before, command, act.at, policy))) return failed('not_due')
    done.push({ at: act.at, policy, command, role, events: act.events, state })
    before = state
  }
  return E.right(done)
}

const commandOf = (
  before: SubscriptionRecord | null,
  { at, events }: Act,
  policy: Policy,
): SubscriptionCommand | null => {
  const [first, ...next] = events
  if (first === undefined) return null
  const state = before ?? initial
  const reproduces = (command: SubscriptionCommand): boolean => {
    const decided = decide(command)(state)
    return E.isRight(decided) && isSame(decided.right, events)
  }
  const commands = behindSubscription(state, first, next, at).map((command) => byPolicy(command, policy))
  return commands.find(reproduces) ?? null
}
