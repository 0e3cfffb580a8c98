import type { PostgresSql } from '@quittance/event-store/postgres'
import { type Compared, differencesIn } from '../rebuild/compare.ts'
import { tableName } from '../table-rows.ts'
import type { PostgresRowWriter } from './write-rows.ts'

type Version = Pick<PostgresRowWriter, 'name' | 'version'>

/** The table that a version of a read model is built in, beside the live one. */
export const rebuiltName = (model: Version): string => `${tableName(model)}_rebuilt`

/** Where the live table is in the log; null where this version has none. */
export const livePosition = async (sql: PostgresSql, { name, version }: Version): Promise<number | null> => {
  const { rows } = await sql.query(
    'SELECT position FROM inline_projections WHERE name = $1 AND version = $2 AND to_regclass($3) IS NOT NULL',
    [name, version, tableName({ name, version })],
  )
  return rows[0] === undefined ? null : Number(rows[0].position)
}

/** Compares two tables, so many ids after a given one, in the order of the index of ids. */
export const compareAfter = async (
  sql: PostgresSql,
  [live, rebuilt]: readonly [live: string, rebuilt: string],
  after: string,
  most: number,
): Promise<Compared> => {
  const nextOf = (table: string) => `(SELECT id FROM ${table} WHERE id ~>~ $1 ORDER BY id USING ~<~ LIMIT $2)`
  const next = await sql.query(
    `SELECT id FROM (${nextOf(live)} UNION ${nextOf(rebuilt)}) AS ids ORDER BY id USING ~<~ LIMIT $2`,
    [after, most],
  )
  const ids = next.rows.map(({ id }) => String(id))
  const last = ids.at(-1)
  if (last === undefined) return { differences: [], ids: 0, last: null }
  const rowsOf = async (table: string) =>
    (await sql.query(`SELECT * FROM ${table} WHERE id ~>~ $1 AND id ~<=~ $2`, [after, last])).rows
  const differences = differencesIn(ids, await rowsOf(live), await rowsOf(rebuilt))
  return { differences, ids: ids.length, last: ids.length < most ? null : last }
}

/** Keeps every store from moving a mark until the transaction ends: their appends wait. */
export const holdMarks = (sql: PostgresSql): Promise<void> =>
  sql.execute('LOCK TABLE inline_projections IN EXCLUSIVE MODE')

/**
 * Puts the rebuilt table, which has applied the log up to a position, in the place of the live one. Of older versions the
 * newest stays: while a new one is built beforehand, the service still writes to it.
 */
export const replaceLive = async (sql: PostgresSql, { name, version }: Version, position: number): Promise<void> => {
  const [live, rebuilt] = [tableName({ name, version }), rebuiltName({ name, version })]
  const { rows: indexes } = await sql.query(
    'SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema() AND tablename = $1',
    [rebuilt],
  )
  await sql.execute(`DROP TABLE IF EXISTS ${live}; ALTER TABLE ${rebuilt} RENAME TO ${live}`)
  for (const index of indexes)
    await sql.execute(`ALTER INDEX ${index.name} RENAME TO ${live}${String(index.name).slice(rebuilt.length)}`)
  await sql.query(
    `INSERT INTO inline_projections VALUES ($1, $2, $3)
     ON CONFLICT (name, version) DO UPDATE SET position = excluded.position`,
    [name, version, position],
  )
  const { rows: older } = await sql.query(
    'SELECT version FROM inline_projections WHERE name = $1 AND version < $2 ORDER BY version DESC OFFSET 1',
    [name, version],
  )
  for (const old of older) {
    await sql.execute(`DROP TABLE IF EXISTS ${tableName({ name, version: Number(old.version) })}`)
    await sql.query('DELETE FROM inline_projections WHERE name = $1 AND version = $2', [name, Number(old.version)])
  }
}
