import type { SqlDatabase } from '@quittance/event-store'

/**
 * Runs a transaction that does not wait for the disk: the power may take the last of these with it, never one without those
 * after it. What deliveries came to is then found out again, by delivering. What others commit waits for the disk as ever,
 * and takes this with it.
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
