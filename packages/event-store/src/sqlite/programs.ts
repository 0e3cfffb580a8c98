import type { SqlDatabase } from '../sql.ts'
import type { Sql, SqlAnswer, SqlDialect, SqlProgram, SqlQuery, SqlRun } from '../sql-program.ts'

const dialect: SqlDialect = {
  name: 'sqlite',
  schema: (text) => text.split(';').filter((statement) => statement.trim() !== ''),
  hasTable: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?",
  openingLock: 'SELECT 1',
  lockRows: '',
  skipLocked: '',
  keepKeys: '',
  now: "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)",
  textsOf: 'SELECT value FROM json_each(?)',
  greatest: 'max',
}

const answerTo = (database: SqlDatabase, { text, parameters }: SqlQuery): SqlAnswer => {
  const statement = database.prepare(text)
  if (!statement.returnsRows) return { rows: [], changes: statement.run(...parameters).changes }
  const rows = statement.all(...parameters)
  return { rows, changes: rows.length }
}

/** Runs a program inside the transaction that is open. */
export const runWithin = <A>(database: SqlDatabase, program: SqlProgram<A>): A => {
  const steps = program()
  let step = steps.next()
  while (step.done !== true) {
    let answer: SqlAnswer
    try {
      answer = answerTo(database, step.value)
    } catch (cause) {
      step = steps.throw(cause)
      continue
    }
    step = steps.next(answer)
  }
  return step.value
}

const usualOf = new WeakMap<SqlDatabase, number>()

const soon = <A>(database: SqlDatabase, work: () => A): A => {
  const usual = usualOf.get(database) ?? Number(database.prepare('PRAGMA synchronous').get()?.synchronous)
  usualOf.set(database, usual)
  database.execute('PRAGMA synchronous = NORMAL')
  try {
    return work()
  } finally {
    database.execute(`PRAGMA synchronous = ${usual}`)
  }
}

/** Runs a program at once, in a transaction of its own; inside another one, as a part that fails alone and is as durable. */
export const runNow = <A>(database: SqlDatabase, program: SqlProgram<A>, { durability = 'full' }: SqlRun = {}): A => {
  const work = (): A =>
    program.isLone === true ? runWithin(database, program) : database.transaction(() => runWithin(database, program))
  return durability === 'soon' && !database.isInTransaction() ? soon(database, work) : work()
}

/** Runs programs on a connection, each without a pause. Errors: as `SqlDatabase`. */
export const sqlitePrograms = (database: SqlDatabase): Sql => ({
  dialect,
  run: async (program, options) => runNow(database, program, options),
})
