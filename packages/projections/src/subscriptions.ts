import { dueAt, Subscription, SubscriptionId, SubscriptionRecord } from '@quittance/domain'
import { type StateRow, stateModel } from './state-model.ts'

/**
 * A subscription with no other attempts than the last one and one under way. That is enough to know when something is due;
 * its stream says what is due.
 */
export type SubscriptionRow = StateRow<SubscriptionRecord>

/** A row does not grow with the number of periods. */
const pruned = (state: SubscriptionRecord): SubscriptionRecord => {
  const last = state.attempts.at(-1)
  return { ...state, attempts: state.attempts.filter((each) => each === last || each.status === 'under_way') }
}

/** Due when something is next to be done for it; found by its customer and its product. */
export const subscriptions = stateModel({
  name: 'subscriptions',
  version: 7,
  aggregate: Subscription,
  record: SubscriptionRecord,
  ids: SubscriptionId,
  pruned,
  columns: (row) => ({
    status: row.status,
    listedUnder: row.details.customerId,
    lookupKey: row.terms.productId,
    dueAt: dueAt(row),
  }),
})
