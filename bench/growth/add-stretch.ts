import type { NewEvent } from '@quittance/domain'
import { type Head, noEvents, type SqlDatabase } from '@quittance/event-store'
import { openDatabase, type SqliteEventStore, sqliteEventStore } from '@quittance/event-store/sqlite'
import type { Log } from './log.ts'
import { columnInStretch } from './stretches.ts'

const durability = 'relaxedLosesCommitsOnPowerLoss'
const readAtOnce = 1_000
/** What is there once. */
const once = "stream LIKE 'webhook-%'"

/** Adds another stretch of history to a log: the first one's, as it stands alone in a file, by other names. */
export const addStretch = async (log: Log, first: Log): Promise<Log> => {
  const { path, stretches } = log
  const store = sqliteEventStore({ path, clock: Date.now, projections: [], durability })
  const from = openDatabase(first.path, { durability, readOnly: true })
  const before = Number(store.logHead().position)
  await appendAll(store, from, stretches)
  const end = Number(store.logHead().position)
  const skipped = Number(from.prepare(`SELECT count(*) AS events FROM events WHERE ${once}`).get()?.events)
  from.close()
  store.close()
  addRows(path, first.path, stretches, before - skipped, end)
  return { ...log, events: end, stretches: stretches + 1 }
}

/** Seals the events anew, in their order: those of a stream that follow one another are one append, as they were. */
const appendAll = async (store: SqliteEventStore, from: SqlDatabase, stretch: number): Promise<void> => {
  const told = (column: string) => `${columnInStretch(stretch, column)} AS ${column}`
  const next = from.prepare(
    `SELECT position, ${told('stream')}, ${told('id')}, type, schema_version, ${told('data')}, ${told('metadata')}
     FROM events WHERE position > ? AND NOT ${once} ORDER BY position LIMIT ${readAtOnce}`,
  )
  const heads = new Map<string, Head>()
  let together = new Map<string, Array<NewEvent>>()
  let last = ''
  const flush = async (): Promise<void> => {
    const appends = [...together]
    together = new Map()
    last = ''
    await Promise.all(
      appends.map(async ([stream, events]) => {
        const appended = await store.append(stream, heads.get(stream) ?? noEvents, events)()
        if (appended._tag === 'Left') throw new Error(`${stream}: ${appended.left._tag}`)
        if (stream.startsWith('subscription-')) heads.set(stream, appended.right.head)
      }),
    )
  }
  for (let rows = next.all(0); rows.length > 0; rows = next.all(Number(rows.at(-1)?.position)))
    for (const row of rows) {
      const stream = String(row.stream)
      const { previousHash: _, ...context } = JSON.parse(String(row.metadata))
      const event = {
        ...{ id: String(row.id), type: String(row.type), schemaVersion: Number(row.schema_version) },
        ...{ data: JSON.parse(String(row.data)), context },
      }
      if (stream !== last && together.has(stream)) await flush()
      together.set(stream, [...(together.get(stream) ?? []), event])
      last = stream
    }
  await flush()
}

/** The rows of read models and deliveries. What has the same name in all stretches is there already. */
const addRows = (path: string, first: string, stretch: number, offset: number, end: number): void => {
  const database = openDatabase(path, { durability })
  database.execute('PRAGMA cache_size = -200000')
  database.prepare('ATTACH DATABASE ? AS first').run(first)
  const models = database.prepare(`SELECT name || '_' || version AS name FROM first.inline_projections`).all()
  database.transaction(() => {
    for (const table of [...models.map(({ name }) => String(name)), 'webhook_deliveries']) {
      const columns = database.prepare(`SELECT name, type FROM pragma_table_info('${table}')`).all()
      const values = columns.map(({ name, type }) => (type === 'TEXT' ? columnInStretch(stretch, String(name)) : name))
      const placed = table.startsWith('announcements_') ? [placeIn(stretch, offset), ...values.slice(1)] : values
      database.execute(
        `INSERT OR IGNORE INTO main.${table} SELECT ${placed.join(', ')} FROM first.${table} ORDER BY id`,
      )
    }
    database.prepare('UPDATE inline_projections SET position = ?').run(end)
  })
  database.close()
}

/** The place of a public event, whose first part is the position of its event; what publishers remember has none. */
const placeIn = (stretch: number, offset: number): string => {
  const position = `(CAST(substr(id, 3, instr(id, '.') - 3) AS INTEGER) + ${offset})`
  const placed = `printf('%02d%d%s', length(${position}), ${position}, substr(id, instr(id, '.')))`
  return `CASE WHEN id < ':' THEN ${placed} ELSE ${columnInStretch(stretch, 'id')} END`
}
