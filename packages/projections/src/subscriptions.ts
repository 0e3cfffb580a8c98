import {
  dueAt,
  type RecordedEvent,
  Subscription,
  SubscriptionId,
  SubscriptionRecord,
  type SubscriptionState,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { createdAt } from './created-at.ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/**
 * A subscription as its stream makes it, with no other attempts than the last one and one under way. That is enough to know
 * when something is due; what is due is asked of the stream.
 */
export const SubscriptionRow = t.strict({ state: SubscriptionRecord, createdAt: UnixMs, updatedAt: UnixMs })
export type SubscriptionRow = t.TypeOf<typeof SubscriptionRow>

const decode = decodedBy(Subscription)
const { initial, evolve } = Subscription.decider

/** A row does not grow with the number of periods. */
const pruned = (state: SubscriptionRecord): SubscriptionRecord => {
  const last = state.attempts.at(-1)
  return { ...state, attempts: state.attempts.filter((each) => each === last || each.status === 'under_way') }
}

const fold = (row: O.Option<SubscriptionRow>, recorded: RecordedEvent): O.Option<SubscriptionRow> => {
  const before: SubscriptionState = O.isSome(row) ? row.value.state : initial
  const state = evolve(before, decode(recorded))
  if (state.status === 'absent') return O.none
  return O.some({
    state: pruned(state),
    createdAt: O.isSome(row) ? row.value.createdAt : createdAt(recorded),
    updatedAt: unixMs(recorded.metadata.occurredAt),
  })
}

/** Due when something is next to be done for it; found by its customer and its product. */
export const subscriptions: ReadModel<SubscriptionRow> = {
  name: 'subscriptions',
  version: 5,
  category: Subscription.category,
  ids: SubscriptionId,
  row: SubscriptionRow,
  fold,
  columns: ({ state }) => ({
    status: state.status,
    customerId: state.details.customerId,
    lookupKey: state.terms.productId,
    dueAt: dueAt(state),
  }),
}
