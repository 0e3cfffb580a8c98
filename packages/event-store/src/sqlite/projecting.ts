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
  /** Applies events in their order. Nobody may change the list afterwards. */
  readonly applyAll: (events: ReadonlyArray<RecordedEvent>) => void
  /** Records that everything up to a position has been applied. */
  readonly mark: (position: number) => void
  /** Applies events that others appended without these projections; answers whether there were any. */
  readonly catchUp: () => boolean
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
  const open = projections.map((projection) => ({
    name: projection.name,
    version: projection.version,
    applyAll: manyApplier(sql, projection),
  }))

  /** Applies one batch to those that are furthest behind; answers whether all had reached the log's end before. */
  const step = (): boolean => {
    const end = readTail(sql).position
    const all = open.map((each) => ({ ...each, applied: integer(checkpoint.get(each.name, each.version), 'position') }))
    const ahead = all.find(({ applied }) => applied > end)
    if (ahead !== undefined)
      throw new AlteredLog(`${ahead.name} has applied position ${ahead.applied}, but the log ends at ${end}`)
    const lowest = Math.min(end, ...all.map(({ applied }) => applied))
    if (lowest === end) return true
    // Stops where another one stands, so that they go on together and the log is read once.
    const next = Math.min(end, ...all.flatMap(({ applied }) => (applied > lowest ? [applied] : [])))
    const { events, reached } = log.batch(lowest, next)
    for (const { name, version, applied, applyAll } of all) {
      if (applied > lowest) continue
      applyAll(events)
      move.run(reached, name, version)
    }
    return false
  }
  return { open, step }
}

/** Applies many events, at once where the projection can. */
const manyApplier = (
  sql: SqlDatabase,
  { prepare, prepareMany }: InlineProjection,
): ((events: ReadonlyArray<RecordedEvent>) => void) => {
  if (prepareMany !== undefined) return prepareMany(sql)
  const apply = prepare(sql)
  return (events) => {
    for (const event of events) apply(event)
  }
}

/**
 * Brings the projections' tables up to the log's end. Between batches other work has its turn, such as the answers that
 * keep connections alive. Errors: as `openProjections`.
 */
export const catchUpInTurns = async (sql: SqlDatabase, projections: ReadonlyArray<InlineProjection>): Promise<void> => {
  const { step } = prepared(sql, projections)
  for (let isAtEnd = false; !isAtEnd; await nextTurn()) isAtEnd = sql.transaction(step)
}

/**
 * Creates the projections' tables and catches all up with the log, which is read once, in transactions of bounded size. Rows and
 * checkpoints belong to (name, version): a new version starts from the first event, beside the old one.
 * Errors: throws `RangeError` where two have one name and version, `AlteredLog` where a checkpoint lies past the log's end, and
 * whatever a projection throws.
 */
export const openProjections = (sql: SqlDatabase, projections: ReadonlyArray<InlineProjection>): Projecting => {
  const { open, step } = prepared(sql, projections)
  const registered = sql.prepare('SELECT count(*) AS count FROM inline_projections')
  const moveEach = sql.prepare('UPDATE inline_projections SET position = ?')
  const moveAll = sql.prepare(
    `UPDATE inline_projections SET position = ?
     WHERE FALSE ${projections.map(() => 'OR (name = ? AND version = ?)').join(' ')}`,
  )
  const all = projections.flatMap(({ name, version }) => [name, version])

  while (!sql.transaction(step));
  return {
    applyAll: (events) => {
      for (const projection of open) projection.applyAll(events)
    },
    mark: (position) => {
      if (open.length === 0) return
      // Looking up each of them takes five times as long. All of ours are there, as the last catch-up has found.
      if (integer(registered.get(), 'count') === open.length) moveEach.run(position)
      else moveAll.run(position, ...all)
    },
    catchUp: () => {
      const isBehind = !step()
      while (isBehind && !step());
      return isBehind
    },
  }
}
