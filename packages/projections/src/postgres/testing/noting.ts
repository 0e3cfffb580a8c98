import type { RecordedEvent } from '@quittance/domain'
import type { PostgresProjection } from '@quittance/event-store/postgres'

/** Notes every event that it is given, as often as it is given it. */
export const noting = (
  version = 1,
  during: (event: RecordedEvent) => void | Promise<void> = () => undefined,
): PostgresProjection => ({
  name: 'noted',
  version,
  create: (sql) =>
    sql.execute(`CREATE TABLE IF NOT EXISTS noted_${version} (
      place bigint GENERATED ALWAYS AS IDENTITY, event text NOT NULL)`),
  apply: async (sql, events) => {
    const ids = events.map(({ id }) => id)
    await sql.query(`INSERT INTO noted_${version} (event) SELECT * FROM unnest($1::text[])`, [ids])
    for (const event of events) await during(event)
  },
})
