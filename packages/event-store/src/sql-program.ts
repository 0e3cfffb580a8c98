import type { SqlRow, SqlValue } from './sql.ts'

/** One statement in the SQL that SQLite and PostgreSQL share, with `?` for its parameters, and nowhere else. */
export type SqlQuery = { readonly text: string; readonly parameters: ReadonlyArray<SqlValue> }
/** The rows of a statement, and how many rows it changed or returned. */
export type SqlAnswer = { readonly rows: ReadonlyArray<SqlRow>; readonly changes: number }

/**
 * Statements that follow one another in one transaction: it yields each, and gets its answer. It may run again from its
 * beginning, so it touches nothing else. If it throws, nothing is written. A lone one is one statement and reads what it
 * answers from it, so it needs no transaction around it.
 */
export type SqlProgram<A> = { (): Generator<SqlQuery, A, SqlAnswer>; readonly isLone?: boolean }

/** The words in which SQLite and PostgreSQL differ. */
export type SqlDialect = {
  readonly name: 'sqlite' | 'postgres'
  /** Splits a schema, written in SQLite's words, into statements of this dialect. It has no `;` within a statement. */
  readonly schema: (text: string) => ReadonlyArray<string>
  /** Finds a table; its parameter is the name. */
  readonly hasTable: string
  /** Waits until no other process opens its tables, up to the end of the transaction. */
  readonly openingLock: string
  /** After a SELECT: until the end of the transaction, nobody else changes its rows. Waits for those who do. */
  readonly lockRows: string
  /** The same, and passes over rows that another transaction is at. */
  readonly skipLocked: string
  /** After a SELECT: until the end of the transaction, nobody changes what identifies its rows (a unique index). */
  readonly keepKeys: string
  /** This moment by the clock of the database, in Unix milliseconds. */
  readonly now: string
  /** The texts of a JSON array; its parameter is the array. */
  readonly textsOf: string
  /** The larger of two numbers. */
  readonly greatest: string
}

/**
 * What isolates a program from others, where it need not run as if it were alone: it locks what it goes on to change, and
 * each of its statements sees all that is committed before it begins. So it waits for others instead of running again.
 * `because` says why that is enough.
 */
export type TransactionIsolation = { readonly level: 'read committed'; readonly because: string }

/**
 * `soon`: the commit does not wait for the disk. A crash may undo the last of these, never one without those after it.
 * Without an `isolation`, the program runs as if it were alone. SQLite runs one at a time, whatever is said here.
 */
export type SqlRun = { readonly durability?: 'full' | 'soon'; readonly isolation?: TransactionIsolation }

/** A database that runs programs. Errors: rejects with whatever the program throws, and with the database's failure. */
export interface Sql {
  readonly dialect: SqlDialect
  readonly run: <A>(program: SqlProgram<A>, options?: SqlRun) => Promise<A>
}

/** A program of one statement, which reads its answer. */
export const loneProgram = <A>(
  text: string,
  parameters: ReadonlyArray<SqlValue>,
  read: (answer: SqlAnswer) => A,
): SqlProgram<A> =>
  Object.assign(
    function* (): Generator<SqlQuery, A, SqlAnswer> {
      return read(yield { text, parameters })
    },
    { isLone: true },
  )

/** Changes what a program answers; a lone one stays so. */
export const mapProgram = <A, B>(program: SqlProgram<A>, read: (answer: A) => B): SqlProgram<B> =>
  Object.assign(
    function* (): Generator<SqlQuery, B, SqlAnswer> {
      return read(yield* program())
    },
    { isLone: program.isLone === true },
  )

/** The rows of a statement. */
export const rowsOf = (text: string, ...parameters: ReadonlyArray<SqlValue>): SqlProgram<ReadonlyArray<SqlRow>> =>
  loneProgram(text, parameters, ({ rows }) => rows)

/** How many rows a statement changes. */
export const changesOf = (text: string, ...parameters: ReadonlyArray<SqlValue>): SqlProgram<number> =>
  loneProgram(text, parameters, ({ changes }) => changes)
