/**
 * Emmett's store in a file of SQLite, by one kept connection: as it comes, it opens one for each operation, is slower and fails at
 * times with SQLITE_BUSY. Its driver `sqlite3` is built on demand, since installing Quittance should need no compiler:
 * `npm run install --prefix node_modules/sqlite3`.
 */
export const openPeerSqlite = async (fileName: string) => {
  const { getSQLiteEventStore, sqliteConnection } = await import('@event-driven-io/emmett-sqlite')
  const connection = sqliteConnection({ fileName })
  await connection.command('PRAGMA synchronous = FULL')
  const store = getSQLiteEventStore({
    fileName,
    schema: { autoMigration: 'CreateOrUpdate' },
    connectionOptions: { singleton: true, connection },
  })
  await store.schema.migrate()
  return { store, close: async () => connection.close() }
}
