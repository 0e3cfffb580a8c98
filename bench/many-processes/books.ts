import type { Cluster } from '@quittance/event-store/postgres/testing/cluster'

/** The log as it is now, by SQL alone. */
export const readBooks = async (cluster: Cluster) => {
  const rows = (
    await cluster.sql('SELECT id, stream, type, schema_version, data FROM quittance.events ORDER BY position')
  ).map(({ id, stream, type, schema_version, data }) => ({
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

export type Books = Awaited<ReturnType<typeof readBooks>>
