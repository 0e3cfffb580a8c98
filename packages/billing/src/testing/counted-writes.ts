import type { SqlDatabase } from '@quittance/event-store'

/** Calls `before` before each statement that writes, and before each commit; what that throws undoes the transaction. */
export const countedWrites = (database: SqlDatabase, before: () => void): SqlDatabase => ({
  ...database,
  execute: (sql) => {
    before()
    database.execute(sql)
  },
  prepare: (sql) => {
    const statement = database.prepare(sql)
    return {
      ...statement,
      run: (...parameters) => {
        before()
        return statement.run(...parameters)
      },
    }
  },
  transaction: (work) =>
    database.transaction(() => {
      const done = work()
      before()
      return done
    }),
})
