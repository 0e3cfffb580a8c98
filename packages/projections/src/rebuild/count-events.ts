import type { SqlDatabase } from '@quittance/event-store'

/** Counts a category's events up to a position, or all. */
export const eventCounter = (database: SqlDatabase, category: string | null): ((end: number) => number) => {
  // Positions count all events.
  if (category === null) return (end) => end
  // The streams between `category-` and `category.`, the next character, by the index of streams.
  const statement = database.prepare(
    'SELECT count(*) AS events FROM events WHERE stream >= ? AND stream < ? AND position <= ?',
  )
  return (end) => Number(statement.get(`${category}-`, `${category}.`, end)?.events)
}
