import Database from 'better-sqlite3'
import type { SqlDatabase, SqlRow, SqlStatement, SqlValue } from '../sql.ts'
import { sqliteCode, TransactionLost } from './failures.ts'

/** `full`: every commit is on disk before it returns. The other name states its risk. */
export type Durability = 'full' | 'relaxedLosesCommitsOnPowerLoss'

export type DatabaseOptions = {
  readonly durability: Durability
  /** Opens an existing file read-only. */
  readonly readOnly?: boolean
  /** Overwrites deleted content with zeros, for files that hold secrets. */
  readonly secureDelete?: boolean
}

const busyTimeoutMs = 5_000

const enterWalMode = (database: Database.Database): void => {
  const deadline = Date.now() + busyTimeoutMs
  for (;;) {
    try {
      database.pragma('journal_mode = WAL')
      return
    } catch (error) {
      // Two processes that create one file meet here; SQLite's busy timeout does not cover this step.
      const isBusy = sqliteCode(error)?.startsWith('SQLITE_BUSY') ?? false
      if (!isBusy || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/**
 * Opens a SQLite file (or ':memory:') in WAL mode, creating it where it is missing, unless read-only.
 * Statements are prepared once and shared by their text: finish one `iterate` before using the same text again, and
 * write nothing while it is open. `transaction` within a transaction is a savepoint: it fails alone.
 * Errors: every method throws the driver's `SqliteError`.
 */
export const openDatabase = (path: string, options: DatabaseOptions): SqlDatabase => {
  const readOnly = options.readOnly ?? false
  const database = new Database(path, { readonly: readOnly, timeout: busyTimeoutMs })
  const statements = new Map<string, Database.Statement<SqlValue[], SqlRow>>()
  const statement = (sql: string): Database.Statement<SqlValue[], SqlRow> => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const prepared = database.prepare<SqlValue[], SqlRow>(sql)
    statements.set(sql, prepared)
    return prepared
  }
  try {
    if (!readOnly) enterWalMode(database)
    database.pragma(`synchronous = ${options.durability === 'full' ? 'FULL' : 'NORMAL'}`)
    database.pragma('foreign_keys = ON')
    if (options.secureDelete === true) database.pragma('secure_delete = ON')
  } catch (error) {
    database.close()
    throw error
  }

  const undo = (nested: boolean, error: unknown): void => {
    if (!database.inTransaction) {
      if (nested) throw new TransactionLost('SQLite rolled back the whole transaction', { cause: error })
      return
    }
    if (nested) statement('ROLLBACK TO nested').run()
    statement(nested ? 'RELEASE nested' : 'ROLLBACK').run()
  }

  return {
    prepare: (sql): SqlStatement => statement(sql),
    execute: (sql) => {
      database.exec(sql)
    },
    transaction: (work) => {
      const nested = database.inTransaction
      statement(nested ? 'SAVEPOINT nested' : 'BEGIN IMMEDIATE').run()
      try {
        const result = work()
        statement(nested ? 'RELEASE nested' : 'COMMIT').run()
        return result
      } catch (error) {
        undo(nested, error)
        throw error
      }
    },
    close: () => {
      database.close()
    },
  }
}
