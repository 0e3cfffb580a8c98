import type { SqlDatabase } from '@quittance/event-store'
import { eventCounter } from '@quittance/event-store/sqlite'

/** Counts a category's events up to a position, or all. */
export const categoryCounter = (database: SqlDatabase, category: string | null): ((end: number) => number) => {
  // Positions count all events.
  if (category === null) return (end) => end
  // The streams between `category-` and `category.`, the next character, by the index of streams.
  const count = eventCounter(database)
  return (end) => count(`${category}-`, `${category}.`, end)
}
