import type { SqlDatabase, SqlStatement } from '../sql.ts'

/** A connection that tells whenever it may have written. */
export const telling = (sql: SqlDatabase, tell: () => void): SqlDatabase => {
  const around = <A>(work: () => A): A => {
    try {
      return work()
    } finally {
      tell()
    }
  }
  return {
    prepare: (text) => {
      const statement: SqlStatement = sql.prepare(text)
      return {
        returnsRows: statement.returnsRows,
        run: (...parameters) => around(() => statement.run(...parameters)),
        get: (...parameters) => around(() => statement.get(...parameters)),
        all: (...parameters) => around(() => statement.all(...parameters)),
        iterate: statement.iterate,
      }
    },
    execute: (text) => around(() => sql.execute(text)),
    transaction: (work) => around(() => sql.transaction(work)),
    isInTransaction: sql.isInTransaction,
    close: sql.close,
  }
}
