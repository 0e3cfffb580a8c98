import type { Sql, SqlDialect, SqlProgram } from '@quittance/event-store'
import { openDatabase, sqlitePrograms } from '@quittance/event-store/sqlite'
import { openAllTables } from '../tables.ts'
import { openVaultTables } from '../vault/vault.ts'

/** What stands for a process: its own connections to a database that others share. */
export type StoreDatabase = { readonly sql: Sql; readonly another: Sql; readonly close: () => Promise<void> }

type Opener = () => Promise<StoreDatabase>

const inMemory: Opener = async () => {
  const database = openDatabase(':memory:', { durability: 'full', secureDelete: true })
  return {
    sql: sqlitePrograms(database),
    another: sqlitePrograms(database),
    close: async () => database.close(),
  }
}

let opener = inMemory

/** Has the suites of the stores run on another database than SQLite. */
export const onDatabase = (open: Opener): void => {
  opener = open
}

/** An empty database with the tables of all stores, which the suites of the stores use. */
export const openStoreDatabase: Opener = async () => {
  const opened = await opener()
  for (const tables of [openAllTables, openVaultTables]) await openedBy(opened, tables)
  return opened
}

/** Two processes that start at once open the same tables. */
const openedBy = ({ sql, another }: StoreDatabase, tables: (dialect: SqlDialect) => SqlProgram<void>) =>
  Promise.all([sql.run(tables(sql.dialect)), another.run(tables(another.dialect))])
