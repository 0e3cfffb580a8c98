import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rowsOf, type Sql, type SqlProgram, type SqlValue } from '@quittance/event-store'
import { postgresPrograms } from '@quittance/event-store/postgres'
import { databaseOf } from '@quittance/event-store/postgres/testing/databases'
import { openDatabase, runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import { chosenStore, filesIn, isInDatabase } from './stores.ts'

const inDatabaseOf = async <A>(folder: string, program: SqlProgram<A>): Promise<A> => {
  const sql = await postgresPrograms({ connectionString: await databaseOf(folder), connections: 1 })
  try {
    return await sql.run(program)
  } finally {
    await sql.close()
  }
}

/** Runs a program on what platforms of a folder keep, beside them: on the rows beside the log, or on the vault. */
export const runBeside = async <A>(folder: string, part: 'rows' | 'vault', program: SqlProgram<A>): Promise<A> => {
  if (isInDatabase()) return inDatabaseOf(folder, program)
  const files = filesIn(folder)
  const rows = chosenStore() === 'embedded' ? files.events : files.readModels
  const database = openDatabase(part === 'vault' ? files.vault : rows, { durability: 'full' })
  try {
    return runNow(database, program)
  } finally {
    database.close()
  }
}

/** Works on the database of a folder's vault, beside the platforms that have it open. */
export const withVault = async <A>(folder: string, work: (sql: Sql) => Promise<A>): Promise<A> => {
  if (isInDatabase()) {
    const sql = await postgresPrograms({ connectionString: await databaseOf(folder), connections: 1 })
    return work(sql).finally(sql.close)
  }
  const database = openDatabase(filesIn(folder).vault, { durability: 'full' })
  return work(sqlitePrograms(database)).finally(() => database.close())
}

const textOf = (value: SqlValue): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)

const rowsOfAllTables: SqlProgram<string> = function* () {
  const tables = yield* rowsOf('SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()')()
  const texts: Array<string> = []
  for (const { name } of tables)
    for (const row of yield* rowsOf(`SELECT * FROM ${String(name)}`)()) texts.push(...Object.values(row).map(textOf))
  return texts.join('\n')
}

/** All that platforms of a folder keep, a byte a character: their files, and the rows of their database. */
export const allKept = async (folder: string): Promise<string> => {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.map(({ name }) => readFileSync(join(folder, name), 'latin1'))
  if (isInDatabase()) texts.push(await inDatabaseOf(folder, rowsOfAllTables))
  return texts.join('')
}
