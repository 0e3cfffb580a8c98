import { openDatabase } from '@quittance/event-store/sqlite'
import { rebuild } from '@quittance/projections/rebuild'
import type { Log } from './log.ts'

type StoredRow = Readonly<Record<string, unknown>>

/** Throws where two files do not hold the same tables, with the same rows but for when and under which hashes they were recorded. */
export const requireSame = (one: string, other: string): void => {
  const database = openDatabase(one, { durability: 'full' })
  try {
    database.prepare('ATTACH DATABASE ? AS other').run(other)
    const tablesIn = (schema: string) =>
      database
        .prepare(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' ORDER BY name`)
        .all()
        .map(({ name }) => String(name))
    const tables = tablesIn('main')
    if (tables.join() !== tablesIn('other').join()) throw new Error('the files have other tables')
    for (const table of tables) {
      const columns = database
        .prepare(`SELECT name FROM pragma_table_info('${table}')`)
        .all()
        .map(({ name }) => String(name))
      const compared = columns.filter((column) => table !== 'events' || !recorded.has(column)).join(', ')
      const lacking = `SELECT count(*) AS rows FROM (SELECT ${compared} FROM main.${table} EXCEPT SELECT ${compared} FROM other.${table})`
      const counted = `SELECT (SELECT count(*) FROM main.${table}) - (SELECT count(*) FROM other.${table}) AS more`
      if (database.prepare(lacking).get()?.rows !== 0 || database.prepare(counted).get()?.more !== 0)
        throw new Error(`the rows of ${table} differ`)
    }
  } finally {
    database.close()
  }
}
const recorded = new Set(['hash', 'digest', 'recorded_at'])

/**
 * Throws where the rows of a log's read models are not those that a rebuild makes of it. In further stretches a row's moment of creation,
 * which an id tells, is that of the first one's, and so are the ends of public events' ids.
 */
export const requireRebuilt = async ({ path }: Log): Promise<void> => {
  const made = await rebuild({ path, log: null, models: null, compareOnly: true, onProgress: () => undefined })()
  if (made._tag === 'Left') throw new Error(made.left._tag)
  for (const { model, differences } of made.right) {
    const differing = differences.find(({ live, rebuilt }) => unnamed(model, live) !== unnamed(model, rebuilt))
    if (differing !== undefined) throw new Error(`rows of ${model} differ: ${JSON.stringify(differing)}`)
  }
}

const unnamed = (model: string, row: StoredRow | null): string => {
  if (row === null) return 'missing'
  const { createdAt: _, ...body } = JSON.parse(String(row.body))
  return JSON.stringify(
    model === 'announcements' ? { ...row, lookup_key: null, body: { ...body, id: null } } : { ...row, body },
  )
}
