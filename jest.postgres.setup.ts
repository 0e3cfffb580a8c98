import { openSharedTables } from '@quittance/billing'
import { postgresEventStore, postgresPrograms } from '@quittance/event-store/postgres'
import { startDatabases } from '@quittance/event-store/postgres/testing/databases'
import { postgresProjections } from '@quittance/projections/postgres'

const openOnce = async (connectionString: string): Promise<void> => {
  const log = await postgresEventStore({ connectionString, clock: Date.now, projections: postgresProjections })
  await log.close()
  const sql = await postgresPrograms({ connectionString })
  await openSharedTables(sql)
  await sql.close()
}

/** Starts the server of `jest.postgres.config.ts`. Databases begin with the tables made, since making them takes long. */
export default async (): Promise<void> => void (await startDatabases(openOnce))
