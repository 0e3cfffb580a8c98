/**
 * Emmett's store in a file of SQLite, by one kept connection or by one for each operation. Its driver `sqlite3` is built
 * on demand, since installing Quittance should need no compiler: `npm run install --prefix node_modules/sqlite3`.
 */
export const openPeerSqlite = async (fileName: string, isKept: boolean) => {
  const { getSQLiteEventStore, sqliteConnection } = await import('@event-driven-io/emmett-sqlite')
  const connection = isKept ? sqliteConnection({ fileName }) : null
  // Otherwise it is SQLite's own setting, which is FULL too.
  await connection?.command('PRAGMA synchronous = FULL')
  const kept = connection === null ? {} : { connectionOptions: { singleton: true as const, connection } }
  const store = getSQLiteEventStore({ fileName, schema: { autoMigration: 'CreateOrUpdate' }, ...kept })
  await store.schema.migrate()
  return { store, close: async () => connection?.close() }
}
