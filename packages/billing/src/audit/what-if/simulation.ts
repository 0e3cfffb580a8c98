import {
  type Policy,
  Subscription,
  type SubscriptionCommand,
  type SubscriptionEvent,
  type SubscriptionRecord,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'

/** What came of one command, and the state that it made. */
export type Moment = {
  readonly at: UnixMs
  readonly events: ReadonlyArray<SubscriptionEvent>
  readonly state: SubscriptionRecord
}

const { initial, decide, evolve } = Subscription.decider

/** A command with the policy that counts, where it takes one. */
export const byPolicy = (command: SubscriptionCommand, policy: Policy): SubscriptionCommand =>
  command.type === 'FailCharge' || command.type === 'CancelUnpaid' || command.type === 'EndUnsettled'
    ? { ...command, policy }
    : command

/** A subscription that lives in memory alone: what is given to it is decided, and written nowhere. */
export const simulation = () => {
  const moments: Array<Moment> = []
  const last = (): Moment | undefined => moments.at(-1)
  const record = (events: ReadonlyArray<SubscriptionEvent>, at: UnixMs): void => {
    const state = events.reduce(evolve, last()?.state ?? initial)
    if (state.status === 'absent') throw new Error('a subscription is absent after an event')
    moments.push({ at: unixMs(Math.max(at, last()?.at ?? 0)), events, state })
  }
  return {
    moments,
    /** Null before it has begun. */
    get state(): SubscriptionRecord | null {
      return last()?.state ?? null
    },
    get now(): UnixMs {
      return last()?.at ?? unixMs(0)
    },
    /** The events of a command at a moment, which is never before the last one; none where it is refused or says nothing new. */
    give: (command: SubscriptionCommand, at: UnixMs): ReadonlyArray<SubscriptionEvent> => {
      const decided = decide(command)(last()?.state ?? initial)
      if (E.isLeft(decided) || decided.right.length === 0) return []
      record(decided.right, at)
      return decided.right
    },
    record,
  }
}

export type Simulation = ReturnType<typeof simulation>
