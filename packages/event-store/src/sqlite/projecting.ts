import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RecordedEvent } from '@quittance/domain'
import { AlteredLog } from '../altered-log.ts'
import type { InlineProjection } from '../inline-projection.ts'
import type { SqlDatabase } from '../sql.ts'
import { readTail } from './heads.ts'
import { logReader } from './read.ts'
import { integer } from './rows.ts'

/** The inline projections of one writing connection. All but `open` run inside the caller's transaction. */
export type Projecting = {
  readonly count: number
  readonly apply: (event: RecordedEvent) => void
  /** Records that everything up to a position has been applied. */
  readonly mark: (position: number) => void
  /** Applies events that others appended without these projections. */
  readonly catchUp: () => void
}

/** The projections of one connection, whose tables it creates. */
const prepared = (sql: SqlDatabase, projections: ReadonlyArray<InlineProjection>) => {
  if (new Set(projections.map(({ name, version }) => `${name}_${version}`)).size < projections.length)
    throw new RangeError('two projections have one name and version')
  const register = sql.prepare('INSERT OR IGNORE INTO inline_projections VALUES (?, ?, 0)')
  const checkpoint = sql.prepare('SELECT position FROM inline_projections WHERE name = ? AND version = ?')
  const move = sql.prepare('UPDATE inline_projections SET position = ? WHERE name = ? AND version = ?')
  const log = logReader(sql)

  sql.transaction(() => {
    for (const { name, version, create } of projections) {
      create(sql)
      register.run(name, version)
    }
  })
  const open = projections.map(({ name, version, prepare }) => ({ name, version, apply: prepare(sql) }))

  /** Applies one batch; answers whether the projection has reached the log's end. */
  const step = ({ name, version, apply }: (typeof open)[number]): boolean => {
    const applied = integer(checkpoint.get(name, version), 'position')
    const end = readTail(sql).position
    if (applied === end) return true
    if (applied > end) throw new AlteredLog(`${name} has applied position ${applied}, but the log ends at ${end}`)
    const { events, reached } = log.batch(applied, end)
    for (const event of events) apply(event)
    move.run(reached, name, version)
    return reached === end
  }
  return { open, step }
}

/**
 * Brings the projections' tables up to the log's end. Between batches other work has its turn, such as the answers that
 * keep connections alive. Errors: as `openProjections`.
 */
export const catchUpInTurns = async (sql: SqlDatabase, projections: ReadonlyArray<InlineProjection>): Promise<void> => {
  const { open, step } = prepared(sql, projections)
  for (const projection of open) {
    for (let isAtEnd = false; !isAtEnd; await nextTurn()) isAtEnd = sql.transaction(() => step(projection))
  }
}

/**
 * Creates the projections' tables and catches each up with the log, in transactions of bounded size. Rows and
 * checkpoints belong to (name, version): a new version starts from the first event, beside the old one.
 * Errors: throws `RangeError` where two have one name and version, `AlteredLog` where a checkpoint lies past the log's end, and
 * whatever a projection throws.
 */
export const openProjections = (sql: SqlDatabase, projections: ReadonlyArray<InlineProjection>): Projecting => {
  const { open, step } = prepared(sql, projections)
  const moveAll = sql.prepare(
    `UPDATE inline_projections SET position = ?
     WHERE FALSE ${projections.map(() => 'OR (name = ? AND version = ?)').join(' ')}`,
  )
  const all = projections.flatMap(({ name, version }) => [name, version])

  for (const projection of open) {
    while (!sql.transaction(() => step(projection)));
  }
  return {
    count: open.length,
    apply: (event) => {
      for (const projection of open) projection.apply(event)
    },
    mark: (position) => void moveAll.run(position, ...all),
    catchUp: () => {
      for (const projection of open) {
        while (!step(projection));
      }
    },
  }
}
