import { mapProgram, rowsOf, type SqlDialect, type SqlProgram } from '@quittance/event-store'

const created = /^\s*CREATE (?:TABLE|INDEX|UNIQUE INDEX) IF NOT EXISTS (\w+)/

const nothing: ReadonlySet<unknown> = new Set()
const namesThere: SqlProgram<ReadonlySet<unknown>> = mapProgram(
  rowsOf('SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace(current_schema())'),
  (rows) => new Set(rows.map(({ name }) => name)),
)

/** Whether a schema of PostgreSQL has all that these schemas create: then nobody needs a lock to open it. */
export const hasAll = (dialect: SqlDialect, schemas: ReadonlyArray<string>): SqlProgram<boolean> =>
  function* () {
    if (dialect.name === 'sqlite') return false
    const there = yield* namesThere()
    const names = dialect.schema(schemas.join(';')).map((statement) => created.exec(statement)?.[1])
    return names.every((name) => name === undefined || there.has(name))
  }

/** Creates what is missing of a schema, which is written in SQLite's words. */
export const create = (dialect: SqlDialect, schema: string): SqlProgram<void> =>
  function* () {
    // Even IF NOT EXISTS waits for whoever writes to the table of an index, and makes others wait.
    const there = dialect.name === 'sqlite' ? nothing : yield* namesThere()
    for (const statement of dialect.schema(schema))
      if (!there.has(created.exec(statement)?.[1])) yield* rowsOf(statement)()
  }

/**
 * Adds columns that the table of an earlier release lacks. In PostgreSQL a transaction that waited for another one does not
 * see the columns which that one added, so the statement asks again.
 */
export const addColumns = (dialect: SqlDialect, table: string, columns: ReadonlyArray<string>): SqlProgram<void> =>
  function* () {
    const isSqlite = dialect.name === 'sqlite'
    const known = yield* rowsOf(
      isSqlite
        ? 'SELECT name FROM pragma_table_info(?)'
        : 'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ?',
      table,
    )()
    const add = `ALTER TABLE ${table} ADD COLUMN${isSqlite ? '' : ' IF NOT EXISTS'}`
    for (const column of columns)
      if (!known.some(({ name }) => column.startsWith(`${name} `)))
        for (const statement of dialect.schema(`${add} ${column}`)) yield* rowsOf(statement)()
  }
