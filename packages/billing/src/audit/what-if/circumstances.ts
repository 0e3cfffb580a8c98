import {
  defaultPolicy,
  type FreezeState,
  Freezes,
  isFrozen,
  Merchant,
  type Policy,
  type RecordedEvent,
  type Stopped,
  type UnixMs,
} from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import type { Act } from './acts.ts'

/** The policies of a merchant, as its stream holds them. */
export type Policies = {
  /** By the order of the log: the one that a process could read before it recorded an act. */
  readonly of: (act: Act) => Policy
  /** By time, for what no act has recorded. */
  readonly at: (at: UnixMs) => Policy
}

export const policiesOf = (recorded: ReadonlyArray<RecordedEvent>): Policies => {
  const decode = decodedBy(Merchant)
  const set = recorded.flatMap((each) => {
    const event = decode(each)
    return event.type === 'PolicySet'
      ? [{ position: each.position, at: each.metadata.occurredAt, policy: event.data }]
      : []
  })
  return {
    of: (act) => set.findLast(({ position }) => position < act.position)?.policy ?? defaultPolicy,
    at: (at) => set.findLast((each) => each.at <= at)?.policy ?? defaultPolicy,
  }
}

/** What the operator had stopped of a merchant at a moment. */
export const stopsOf = (recorded: ReadonlyArray<RecordedEvent>, merchantId: string): ((at: UnixMs) => Stopped) => {
  const decode = decodedBy(Freezes)
  const { initial, evolve } = Freezes.decider
  const states: Array<{ readonly at: number; readonly state: FreezeState }> = []
  for (const each of recorded) {
    const state = evolve(states.at(-1)?.state ?? initial, decode(each))
    states.push({ at: each.metadata.occurredAt, state })
  }
  return (at) => {
    const state = states.findLast((each) => each.at <= at)?.state ?? initial
    return { sales: isFrozen(state, 'sales', merchantId), charges: isFrozen(state, 'charges', merchantId) }
  }
}
