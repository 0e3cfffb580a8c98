import type { SqlDatabase, SqlStatement } from '@quittance/event-store'

/**
 * Simulates several processes' connections to one in-memory database. SQLite's `data_version` tells a connection
 * whether another has written; over one real connection it must be counted here.
 */
export const connectionsTo = (database: SqlDatabase): (() => SqlDatabase) => {
  let written = 0
  return () => {
    let own = 0
    let depth = 0
    const version = () => ({ data_version: written - own })
    const dataVersion: SqlStatement = {
      returnsRows: true,
      run: () => ({ changes: 0 }),
      get: version,
      all: () => [version()],
      iterate: () => [version()].values(),
    }
    return {
      execute: database.execute,
      prepare: (sql) => (sql === 'PRAGMA data_version' ? dataVersion : database.prepare(sql)),
      transaction: (work) => {
        depth += 1
        try {
          const result = database.transaction(work)
          if (depth === 1) [own, written] = [own + 1, written + 1]
          return result
        } finally {
          depth -= 1
        }
      },
      isInTransaction: database.isInTransaction,
      close: () => undefined,
    }
  }
}

/** Runs work on databases and then rolls it back. */
export const undone = async <A>(databases: ReadonlyArray<SqlDatabase>, work: () => Promise<A>): Promise<A> => {
  for (const database of databases) database.execute('SAVEPOINT run')
  try {
    return await work()
  } finally {
    for (const database of databases) database.execute('ROLLBACK TO run; RELEASE run')
  }
}
