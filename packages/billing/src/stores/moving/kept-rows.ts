import { rowsOf, type SqlDialect, type SqlProgram, type SqlRow, type SqlValue } from '@quittance/event-store'
import { openDatabase, runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import { exists } from '../sql/query.ts'
import { openTables } from '../tables.ts'
import { openVaultTables } from '../vault/vault.ts'

/** What is kept beside a log: data that is in no log; or keys, with the records of their use and the newest known event. */
export type KeptPart = 'unlogged' | 'vault'

/** The rows of one table. `lastNumber` is the last one that a row got, where the table numbers its rows. */
export type KeptTable = {
  readonly name: string
  readonly rows: ReadonlyArray<SqlRow>
  readonly lastNumber: number | null
}

type Layout = {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  /** The column that numbers the rows. */
  readonly numbered: string | null
}

const opening = { unlogged: openTables, vault: openVaultTables } satisfies Record<KeptPart, unknown>

/** The tables of this release. A table that is added to those of the stores is moved without a change here. */
const layoutsOf = (part: KeptPart): ReadonlyArray<Layout> => {
  const database = openDatabase(':memory:', { durability: 'full' })
  try {
    runNow(database, opening[part](sqlitePrograms(database).dialect))
    const tables = database.prepare(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    return tables.all().map(({ name, sql }) => {
      const columns = database.prepare('SELECT name, pk FROM pragma_table_info(?)').all(String(name))
      const key = columns.find(({ pk }) => pk === 1)
      return {
        name: String(name),
        columns: columns.map((column) => String(column.name)),
        numbered: key !== undefined && /\bAUTOINCREMENT\b/.test(String(sql)) ? String(key.name) : null,
      }
    })
  } finally {
    database.close()
  }
}

const sequence = 'CAST(pg_get_serial_sequence(?, ?) AS regclass)'

const lastNumber = (dialect: SqlDialect, { name, numbered }: Layout): SqlProgram<number | null> =>
  function* () {
    if (numbered === null) return null
    const found =
      dialect.name === 'sqlite'
        ? yield* rowsOf('SELECT seq AS last FROM sqlite_sequence WHERE name = ?', name)()
        : yield* rowsOf(`SELECT pg_sequence_last_value(${sequence}) AS last`, name, numbered)()
    return typeof found[0]?.last === 'number' ? found[0].last : null
  }

/** Reads all that is kept. A table that an earlier release did not have is left out. */
export const readKept = (dialect: SqlDialect, part: KeptPart): SqlProgram<ReadonlyArray<KeptTable>> =>
  function* () {
    const kept: Array<KeptTable> = []
    for (const layout of layoutsOf(part)) {
      const { name } = layout
      if (!(yield* exists(dialect.hasTable)(name)())) continue
      kept.push({
        name,
        rows: yield* rowsOf(`SELECT * FROM "${name}"`)(),
        lastNumber: yield* lastNumber(dialect, layout)(),
      })
    }
    return kept
  }

const rowsAtOnce = 50

/** Errors: throws for a column that this release does not know, since its values would be lost. */
const requireKnown = ({ name, columns }: Layout, row: SqlRow): void => {
  const unknown = Object.keys(row).filter((column) => !columns.includes(column))
  if (unknown.length > 0) throw new Error(`The table ${name} has columns of another release: ${unknown.join(', ')}`)
}

const insertRows = ({ name }: Layout, rows: ReadonlyArray<SqlRow>): SqlProgram<void> => {
  // Columns that a file of an earlier release lacks get their usual value.
  const columns = Object.keys(rows[0] ?? {})
  const values = `(${columns.map(() => '?').join(', ')})`
  const into = `INSERT INTO "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) VALUES`
  const parametersOf = (some: ReadonlyArray<SqlRow>): ReadonlyArray<SqlValue> =>
    some.flatMap((row) => columns.map((column) => row[column] ?? null))
  return function* () {
    let next = 0
    for (; next + rowsAtOnce <= rows.length; next += rowsAtOnce) {
      const many = `${into} ${Array.from({ length: rowsAtOnce }, () => values).join(', ')}`
      yield* rowsOf(many, ...parametersOf(rows.slice(next, next + rowsAtOnce)))()
    }
    for (const row of rows.slice(next)) yield* rowsOf(`${into} ${values}`, ...parametersOf([row]))()
  }
}

/** Goes on to number rows behind all that were there before. */
const numberFrom = (dialect: SqlDialect, { name, numbered }: Layout, last: number): SqlProgram<void> =>
  function* () {
    if (numbered === null || last < 1) return
    if (dialect.name === 'postgres') {
      yield* rowsOf(`SELECT setval(${sequence}, ?)`, name, numbered, last)()
      return
    }
    yield* rowsOf('DELETE FROM sqlite_sequence WHERE name = ?', name)()
    yield* rowsOf('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', name, last)()
  }

/** Replaces all that is kept by what another database kept. Creates the tables where they are missing. */
export const replaceKept = (dialect: SqlDialect, part: KeptPart, kept: ReadonlyArray<KeptTable>): SqlProgram<void> =>
  function* () {
    yield* opening[part](dialect)()
    for (const layout of layoutsOf(part)) {
      yield* rowsOf(`DELETE FROM "${layout.name}"`)()
      const found = kept.find(({ name }) => name === layout.name)
      if (found === undefined) continue
      for (const row of found.rows.slice(0, 1)) requireKnown(layout, row)
      yield* insertRows(layout, found.rows)()
      if (found.lastNumber !== null) yield* numberFrom(dialect, layout, found.lastNumber)()
    }
  }
