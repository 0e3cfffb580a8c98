import type { RecordedEvent } from '@quittance/domain'
import { AlteredLog } from '../altered-log.ts'
import type { Connections } from './connection.ts'
import type { PostgresProjection } from './projection.ts'
import { readBatch, readTail } from './read.ts'
import { integer } from './rows.ts'
import type { PostgresSql } from './sql.ts'

/** The inline projections of one store. */
export type Projecting = {
  readonly projections: ReadonlyArray<PostgresProjection>
  /**
   * Applies what a commit has written after `tail`, and what others wrote before it without a projection: `applied` has
   * the position of each projection before the commit. Runs inside the commit's transaction.
   */
  readonly apply: (sql: PostgresSql, applied: ReadonlyArray<number>, commit: Written) => Promise<void>
}

/** The events that one commit writes after `tail`. */
export type Written = { readonly tail: number; readonly events: ReadonlyArray<RecordedEvent> }

const catchUp = async (sql: PostgresSql, { apply }: PostgresProjection, after: number, end: number): Promise<void> => {
  for (let position = after; position < end; ) {
    const { events, reached } = await readBatch(sql, position, end)
    await apply(sql, events)
    position = reached
  }
}

/** Applies the next events in a transaction of its own; answers whether the projection has reached the log's end. */
const step = (connections: Connections, projection: PostgresProjection): Promise<boolean> =>
  connections.use(async (sql) => {
    const { name, version, apply } = projection
    await sql.execute('BEGIN')
    const mark = await sql.query(
      'SELECT position FROM inline_projections WHERE name = $1 AND version = $2 FOR UPDATE',
      [name, version],
    )
    const applied = integer(mark.rows[0], 'position')
    const end = (await readTail(sql)).position
    if (applied > end) throw new AlteredLog(`${name} has applied position ${applied}, but the log ends at ${end}`)
    const { events, reached } = await readBatch(sql, applied, end)
    if (events.length > 0) {
      await apply(sql, events)
      await sql.query('UPDATE inline_projections SET position = $3 WHERE name = $1 AND version = $2', [
        name,
        version,
        reached,
      ])
    }
    await sql.commit()
    return reached === end
  })

/**
 * Creates the projections' tables and catches each up with the log, in transactions of bounded size. Rows and marks
 * belong to (name, version): a new version starts from the first event, beside the old one.
 * Errors: throws `RangeError` where two have one name and version, `AlteredLog` where a mark lies past the log's end, and
 * whatever a projection throws.
 */
export const openProjections = async (
  connections: Connections,
  projections: ReadonlyArray<PostgresProjection>,
): Promise<Projecting> => {
  if (new Set(projections.map(({ name, version }) => `${name}_${version}`)).size < projections.length)
    throw new RangeError('two projections have one name and version')
  if (projections.length > 0)
    await connections.use(async (sql) => {
      await sql.execute('BEGIN')
      // One process at a time, since tables that are made twice at once collide even with IF NOT EXISTS.
      await sql.execute('LOCK TABLE inline_projections IN SHARE ROW EXCLUSIVE MODE')
      for (const { name, version, create } of projections) {
        await create(sql)
        await sql.query('INSERT INTO inline_projections VALUES ($1, $2, 0) ON CONFLICT DO NOTHING', [name, version])
      }
      await sql.commit()
    })
  for (const projection of projections) while (!(await step(connections, projection)));
  return {
    projections,
    apply: async (sql, applied, { tail, events }) => {
      for (const [index, projection] of projections.entries()) {
        const position = applied[index]
        if (position === undefined) throw new AlteredLog(`${projection.name} has no position in this log`)
        if (position > tail)
          throw new AlteredLog(`${projection.name} has applied position ${position}, but the log ended at ${tail}`)
        if (position < tail) await catchUp(sql, projection, position, tail)
        await projection.apply(sql, events)
      }
    },
  }
}
