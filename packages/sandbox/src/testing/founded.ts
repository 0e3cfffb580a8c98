import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'
import { openSandbox } from '../sandbox.ts'
import { createTables } from '../store/schema.ts'

type Rows = ReadonlyArray<readonly [table: string, rows: ReadonlyArray<SqlRow>]>

const foundations = new Map<string, Rows>()

const inMemory = (): SqlDatabase => openDatabase(':memory:', { durability: 'relaxedLosesCommitsOnPowerLoss' })

/** The rows of a new network, without its clock: each sandbox starts its own. */
const found = (passphrase: string, now: number): Rows => {
  const database = inMemory()
  openSandbox({ database, wallClock: () => now, passphrase })
  const tables = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'sandbox_%' AND name != 'sandbox_clock'",
  )
  const rows = tables.all().map(({ name }) => [`${name}`, database.prepare(`SELECT * FROM ${name}`).all()] as const)
  database.close()
  return rows
}

/**
 * A database in memory that holds a network founded at `now` (Unix milliseconds). A process founds each network once, which
 * signs transactions and runs contracts, and copies its rows from then on.
 */
export const foundedDatabase = (passphrase: string, now: number): SqlDatabase => {
  const name = `${now} ${passphrase}`
  const foundation = foundations.get(name) ?? found(passphrase, now)
  foundations.set(name, foundation)
  const database = inMemory()
  createTables(database)
  database.transaction(() => {
    for (const [table, rows] of foundation)
      for (const row of rows) {
        const values = Object.values(row)
        database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`).run(...values)
      }
  })
  return database
}
