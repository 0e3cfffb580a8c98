import Database from 'better-sqlite3'
import type { SqlDatabase, SqlRow, SqlStatement, SqlValue } from '../sql.ts'
import { isLocked, TransactionLost } from './failures.ts'
import { keepToOwner } from './keep-to-owner.ts'
import { assertNodeRunsSqlite } from './node-version.ts'

/**
 * `full`: every commit is on disk before it returns. The other names state their risk; `noneForScratch` leaves a damaged file
 * where its process or the machine dies, and one process alone uses it.
 */
export type Durability = 'full' | 'relaxedLosesCommitsOnPowerLoss' | 'noneForScratch'

export type DatabaseOptions = {
  readonly durability: Durability
  /** Opens an existing file read-only. */
  readonly readOnly?: boolean
  /** Overwrites deleted content with zeros, for files that hold secrets. */
  readonly secureDelete?: boolean
  /** Lets a new file give unused pages back to the disk. */
  readonly returnsSpace?: boolean
}

const synchronous: Readonly<Record<Durability, string>> = {
  full: 'FULL',
  relaxedLosesCommitsOnPowerLoss: 'NORMAL',
  noneForScratch: 'OFF',
}

/** While a process opens its files, nobody waits for it yet. */
const openingPatienceMs = 5_000
/** How long one statement may block the process until another process's lock ends. */
const patienceMs = 250

let statements = 0

/** Counts the statements that all connections of this process have begun. */
export const statementsOfProcess = (): number => statements

/** Runs statements that do not count. */
export const uncounted = <A>(work: () => A): A => {
  const before = statements
  try {
    return work()
  } finally {
    statements = before
  }
}

const enterWalMode = (database: Database.Database): void => {
  const deadline = Date.now() + openingPatienceMs
  for (;;) {
    try {
      database.pragma('journal_mode = WAL')
      return
    } catch (error) {
      // Two processes that create one file meet here; SQLite's busy timeout does not cover this step.
      if (!isLocked(error) || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/**
 * Lets a connection block the process once for a lock of another process, and not again before a write has succeeded: many
 * requests that meet the same lock must not add up their waits.
 */
const boundedPatience = (database: Database.Database) => {
  let [isPatient, isWaitedFor] = [true, false]
  const wait = (ms: number): void => {
    if (database.open) database.pragma(`busy_timeout = ${ms}`)
  }
  setImmediate(() => {
    isPatient = false
    wait(patienceMs)
  })
  const met = (error: unknown): void => {
    if (isWaitedFor || isPatient || !isLocked(error)) return
    isWaitedFor = true
    wait(0)
  }
  const written = (): void => {
    if (!isWaitedFor) return
    isWaitedFor = false
    wait(patienceMs)
  }
  return {
    written,
    around: <A>(work: () => A): A => {
      try {
        return work()
      } catch (error) {
        met(error)
        throw error
      }
    },
  }
}

/** A parameter, or a text or name that may hold a question mark. */
const parameterOrQuoted = /'[^']*'|"[^"]*"|\?/g

/**
 * Hides parameters from SQLite's planner behind a unary plus, which changes nothing else. The driver clears the parameters after each
 * run, and SQLite 3.54 then plans a statement again if its planner looked at one: beside `=` where there is an ORDER BY, and in LIMIT.
 */
const plannedOnce = (sql: string): string => sql.replace(parameterOrQuoted, (found) => (found === '?' ? '+?' : found))

/**
 * Opens a SQLite file (or ':memory:') in WAL mode, creating it for its owner alone where it is missing, unless read-only.
 * Waits up to 5 s for another process's lock during the turn of the event loop that opens it, later up to 0.25 s.
 * Statements are prepared once and shared by their text: finish one `iterate` before using the same text again, and
 * write nothing while it is open. `transaction` within a transaction is a savepoint: it fails alone.
 * Errors: every method throws the driver's `SqliteError`. Throws where Node.js is older than 22.14.
 */
export const openDatabase = (path: string, options: DatabaseOptions): SqlDatabase => {
  assertNodeRunsSqlite()
  const readOnly = options.readOnly ?? false
  if (!readOnly) keepToOwner(path)
  const database = new Database(path, { readonly: readOnly, timeout: openingPatienceMs })
  const { around, written } = boundedPatience(database)
  const prepareds = new Map<string, SqlStatement>()
  const statement = (sql: string): SqlStatement => {
    const known = prepareds.get(sql)
    if (known !== undefined) return known
    const prepared = around(() => database.prepare<SqlValue[], SqlRow>(plannedOnce(sql)))
    const bounded: SqlStatement = {
      returnsRows: prepared.reader,
      run: (...parameters) => {
        statements++
        const result = around(() => prepared.run(...parameters))
        written()
        return result
      },
      get: (...parameters) => {
        statements++
        return around(() => prepared.get(...parameters))
      },
      all: (...parameters) => {
        statements++
        return around(() => prepared.all(...parameters))
      },
      iterate: (...parameters) => {
        statements++
        return prepared.iterate(...parameters)
      },
    }
    prepareds.set(sql, bounded)
    return bounded
  }
  try {
    if (!readOnly && options.returnsSpace === true) database.pragma('auto_vacuum = INCREMENTAL')
    if (!readOnly && options.durability === 'noneForScratch') database.pragma('journal_mode = MEMORY')
    else if (!readOnly) enterWalMode(database)
    database.pragma(`synchronous = ${synchronous[options.durability]}`)
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
    prepare: statement,
    execute: (sql) => {
      statements++
      around(() => database.exec(sql))
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
    isInTransaction: () => database.inTransaction,
    close: () => {
      database.close()
    },
  }
}
