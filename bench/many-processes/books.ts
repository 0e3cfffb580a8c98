import { join } from 'node:path'
import type { Cluster } from '@quittance/event-store/postgres/testing/cluster'
import { openDatabase } from '@quittance/event-store/sqlite'

/** The log of a PostgreSQL as it is now, by SQL alone. */
export const readBooks = async (cluster: Cluster): Promise<Books> =>
  booksOf(await cluster.sql('SELECT id, stream, type, schema_version, data FROM quittance.events ORDER BY position'))

/** The same of a data directory with SQLite. */
export const readBooksIn = async (dataDir: string): Promise<Books> => {
  const database = openDatabase(join(dataDir, 'quittance.db'), { durability: 'full', readOnly: true })
  const rows = database.prepare('SELECT id, stream, type, schema_version, data FROM events ORDER BY position').all()
  database.close()
  return booksOf(rows)
}

const booksOf = (found: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
  const rows = found.map(({ id, stream, type, schema_version, data }) => ({
    id: String(id),
    stream: String(stream),
    type: String(type),
    schemaVersion: Number(schema_version),
    data: String(data),
  }))
  const ofCategory = (category: string) => rows.filter(({ stream }) => stream.startsWith(`${category}-`))
  const byStream = <A>(
    category: string,
    read: (row: (typeof rows)[number]) => A,
  ): ReadonlyMap<string, ReadonlyArray<A>> =>
    new Map(
      [...Map.groupBy(ofCategory(category), ({ stream }) => stream)].map(([stream, each]) => [stream, each.map(read)]),
    )
  return {
    rows,
    ofCategory,
    /** The events of a type, in order. */
    ofType: (wanted: string) =>
      rows.flatMap(({ stream, type, data }) => (type === wanted ? [{ stream, data: JSON.parse(data) }] : [])),
    histories: (category: string) => byStream(category, ({ type }) => type),
    events: (category: string) => byStream(category, ({ type, data }) => ({ type, data: JSON.parse(data) as unknown })),
  }
}

export type Books = ReturnType<typeof booksOf>
