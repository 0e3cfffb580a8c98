import { openSharedTables } from '@quittance/billing'
import { postgresEventStore, postgresPrograms } from '@quittance/event-store/postgres'
import { startDatabases } from '@quittance/event-store/postgres/testing/databases'
import { memoryEventStore } from '@quittance/event-store/testing'
import { postgresProjections, postgresProjector } from '@quittance/projections/postgres'

const openOnce = async (connectionString: string): Promise<void> => {
  const isWhole = process.env.QUITTANCE_TEST_STORE === 'postgres'
  const rows = isWhole
    ? await postgresEventStore({ connectionString, clock: Date.now, projections: postgresProjections })
    : await postgresProjector(memoryEventStore({ clock: Date.now }), { connectionString })
  await rows.close()
  const sql = await postgresPrograms({ connectionString })
  await openSharedTables(sql)
  await sql.close()
}

/** Starts the server of `onDatabases`. Databases begin with the tables made, since making them takes long. */
export default async (): Promise<void> => void (await startDatabases(openOnce))
