import { type PostgresReader, postgresEventStore, postgresReader } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import fc from 'fast-check'
import { ofEachModel, readModels } from '../read-models.ts'
import { sqliteReading } from '../reading.ts'
import { table } from '../table.ts'
import type { Log } from '../testing/any-history.ts'
import { anyWholeHistory, writeWhole } from '../testing/any-whole-history.ts'
import { writeEverything } from '../testing/every-row.ts'
import { allRows } from '../testing/tables.ts'
import { postgresProjections } from './projections.ts'
import { postgresReading } from './reading.ts'
import { otherAnswers, tableAnswers } from './testing/answers.ts'
import { appendTo, everyEvent, onSqlite } from './testing/copied.ts'
import { rowsOfEachModel } from './testing/rows.ts'

let cluster: Cluster
let connectionString: string
beforeAll(async () => {
  cluster = await startCluster()
  // Of a language whose order of texts is not that of their bytes.
  await cluster.sql("CREATE DATABASE english TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'")
  connectionString = cluster.connectionString.replace('/postgres?', '/english?')
})
afterAll(() => cluster.remove())

const open = (schema: string, projections = postgresProjections) =>
  postgresEventStore({ connectionString, schema, clock: () => 0, projections })
const reading = async <A>(schema: string, use: (reader: PostgresReader) => Promise<A>): Promise<A> => {
  const reader = postgresReader({ connectionString, schema })
  try {
    return await use(reader)
  } finally {
    await reader.close()
  }
}

const everyRow = (schema: string) => reading(schema, rowsOfEachModel)

/** Writes a history to both databases, and compares all that the read models hold and answer. */
const compare = async (history: (log: Log) => Promise<void>): Promise<ReadonlyArray<string>> => {
  const sqlite = await onSqlite(history)
  const rows = allRows(sqlite.store.reader)
  const [inline, later] = [cluster.newSchema(), cluster.newSchema()]

  const store = await open(inline)
  await appendTo(store, sqlite.events)
  expect(await everyEvent(store)).toEqual(sqlite.events)
  await store.close()
  expect(await everyRow(inline)).toEqual(rows)

  const without = await open(later, [])
  await appendTo(without, sqlite.events)
  await without.close()
  await (await open(later)).close()
  expect(await everyRow(later)).toEqual(rows)

  const ofSqlite = sqliteReading(sqlite.store.reader)
  await reading(inline, async (reader) => {
    const ofPostgres = postgresReading(reader)
    const comparisons = ofEachModel((model) => async () => {
      const known = rows[model.name] ?? []
      expect(await tableAnswers(model, table(ofPostgres, model), known)).toEqual(
        await tableAnswers(model, table(ofSqlite, model), known),
      )
    })
    for (const comparison of comparisons) await comparison()
    expect(await otherAnswers(readModels(ofPostgres), rows)).toEqual(await otherAnswers(readModels(ofSqlite), rows))
  })
  sqlite.store.close()
  return Object.keys(rows).filter((name) => rows[name]?.length === 0)
}

describe('the read models on PostgreSQL', () => {
  it('hold and answer what those on SQLite do, for a history that leaves a row in every table', async () => {
    expect(await compare(writeEverything)).toEqual([])
  })

  it('hold and answer what those on SQLite do, for any history', async () => {
    await fc.assert(
      fc.asyncProperty(anyWholeHistory, async (whole) => {
        await compare(writeWhole(whole))
      }),
      { numRuns: 8, seed: 20_261_124, endOnFailure: true },
    )
  })
})
