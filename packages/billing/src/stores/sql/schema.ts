import { rowsOf, type SqlDialect, type SqlProgram } from '@quittance/event-store'

/** Creates what is missing of a schema, which is written in SQLite's words. */
export const create = (dialect: SqlDialect, schema: string): SqlProgram<void> =>
  function* () {
    for (const statement of dialect.schema(schema)) yield* rowsOf(statement)()
  }

/** Adds columns that a file of an earlier release lacks. A schema of PostgreSQL has had them from its beginning. */
export const addColumns = (dialect: SqlDialect, table: string, columns: ReadonlyArray<string>): SqlProgram<void> =>
  function* () {
    if (dialect.name !== 'sqlite') return
    const known = yield* rowsOf('SELECT name FROM pragma_table_info(?)', table)()
    for (const column of columns)
      if (!known.some(({ name }) => column.startsWith(`${name} `)))
        yield* rowsOf(`ALTER TABLE ${table} ADD COLUMN ${column}`)()
  }
