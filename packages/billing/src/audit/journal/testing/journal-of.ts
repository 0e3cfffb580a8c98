import { done } from '../../../testing/outcomes.ts'
import type { StoreFront } from '../../../testing/store-front.ts'
import type { JournalEntry } from '../entry.ts'
import type { JournalProgress } from '../journal.ts'

/** All time. */
export const whole = { from: null, to: null, after: 0n, most: null, mostRead: null }

/** The journal of a shop, or what another request gives of it. */
export const journalOf = async (
  front: StoreFront,
  changed: object = {},
  passed: JournalProgress = () => undefined,
): Promise<ReadonlyArray<JournalEntry>> => {
  const entries: Array<JournalEntry> = []
  const request = { ...whole, environment: front.scope.environment, merchantId: front.merchantId, ...changed }
  await done(front.billing.journal(request, (entry) => void entries.push(entry), passed))
  return entries
}
