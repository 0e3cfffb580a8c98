import type { CustomerId } from '../shared/ids.ts'
import type { CustomerMergesEvent } from './events.ts'

/** The merges, the newest first: a list costs as much for each of thousands. */
export type CustomerMergesState = {
  readonly from: CustomerId
  readonly into: CustomerId
  readonly earlier: CustomerMergesState
} | null

export const initial: CustomerMergesState = null

export const evolve = (earlier: CustomerMergesState, { data: { from, into } }: CustomerMergesEvent) => ({
  from,
  into,
  earlier,
})

/** The customer that this one was merged into, which may have been merged since; null if it was not merged. */
export const mergedInto = (state: CustomerMergesState, id: CustomerId): CustomerId | null => {
  for (let each = state; each !== null; each = each.earlier) if (each.from === id) return each.into
  return null
}

/** The customer that has taken the place of this one; itself if it was not merged. */
export const remainingOf = (state: CustomerMergesState, id: CustomerId): CustomerId => {
  const into = mergedInto(state, id)
  return into === null ? id : remainingOf(state, into)
}
