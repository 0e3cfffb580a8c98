import type { SqlDatabase } from '@quittance/event-store'

/**
 * Runs a transaction that does not wait for the disk. A power failure may undo the last of these transactions, never one
 * without those after it; the results of deliveries are then found again by delivering. Other commits wait for the disk as
 * usual, and make these durable too.
 */
export const soonDurable =
  (database: SqlDatabase) =>
  <A>(work: () => A): A => {
    const usual = Number(database.prepare('PRAGMA synchronous').get()?.synchronous)
    database.execute('PRAGMA synchronous = NORMAL')
    try {
      return database.transaction(work)
    } finally {
      database.execute(`PRAGMA synchronous = ${usual}`)
    }
  }
