import type { RecordedEvent } from '@quittance/domain'
import { AlteredLog } from '../altered-log.ts'
import { LeftBehind } from '../left-behind.ts'
import type { Connections } from './connection.ts'
import { isOutsideWorld, PostgresError } from './failures.ts'
import type { PostgresProjection } from './projection.ts'
import {
  areAtEnd,
  findBehind,
  haveMarks,
  lockMark,
  lockMarks,
  lockMarksAt,
  moveMarks,
  readMarks,
} from './projection-marks.ts'
import { readBatch, readTail } from './read.ts'
import { sentTogether } from './sent-together.ts'
import type { PostgresSql } from './sql.ts'

/** The inline projections of one store. */
export type Projecting = {
  readonly projections: ReadonlyArray<PostgresProjection>
  /** The projections that lack events, since processes of other releases do not write them. */
  readonly behind: (sql: PostgresSql) => Promise<ReadonlyArray<PostgresProjection>>
  /**
   * Applies what a commit has written after `tail`, and what others wrote before it without a projection: `applied` has
   * the position of each projection before the commit. Runs inside the commit's transaction.
   */
  readonly apply: (sql: PostgresSql, applied: ReadonlyArray<number>, commit: Written) => Promise<void>
  /**
   * Applies what a copy has written after `tail`, and moves the positions of the projections. Runs inside the transaction of
   * the copy, which has the log's lock.
   */
  readonly applyCopied: (sql: PostgresSql, copied: Written) => Promise<void>
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

/**
 * Applies the next events to those projections that are furthest behind, in a transaction of its own. Answers the
 * projections that have not been seen at the log's end. Stops where another one stands, so that they go on together and
 * the log is read once.
 */
const step = (
  connections: Connections,
  behind: ReadonlyArray<PostgresProjection>,
): Promise<ReadonlyArray<PostgresProjection>> =>
  connections.use(async (sql) => {
    // Asked first: to lock a mark is to wait for those who append, of whom one may be stopped.
    if (await areAtEnd(sql, behind)) return []
    await sql.execute('BEGIN')
    const marks = await readMarks(sql, behind)
    const first = behind[marks.indexOf(Math.min(...marks))]
    if (first === undefined) throw new AlteredLog('a projection has no position in this log')
    const applied = await lockMark(sql, first)
    const end = (await readTail(sql)).position
    if (applied > end) throw new AlteredLog(`${first.name} has applied position ${applied}, but the log ends at ${end}`)
    const together = await lockMarksAt(sql, behind, applied)
    const next = Math.min(end, ...marks.filter((mark) => mark > applied))
    const { events, reached } = await readBatch(sql, applied, next)
    if (events.length > 0) {
      await sentTogether([...together.map(({ apply }) => apply(sql, events)), moveMarks(sql, together, reached)])
    }
    await sql.commit()
    return reached === end ? behind.filter((each) => !together.includes(each)) : behind
  })

/** Longer than the server leaves a lock to a process that is stopped. */
const usualPatienceMs = 30_000
const lockNotAvailable = '55P03'

/** Begins again for so long where another process has a lock. */
const patiently = async <A>(patienceMs: number, work: () => Promise<A>): Promise<A> => {
  const beganAt = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (cause) {
      const isLocked = cause instanceof PostgresError && cause.code === lockNotAvailable
      if (!isLocked || performance.now() - beganAt >= patienceMs) throw cause
    }
  }
}

const createAll = (connections: Connections, projections: ReadonlyArray<PostgresProjection>): Promise<void> =>
  connections.use(async (sql) => {
    if (await haveMarks(sql, projections)) return
    await sql.execute('BEGIN')
    // One process at a time, since tables that are made twice at once collide even with IF NOT EXISTS.
    await sql.execute('LOCK TABLE inline_projections IN SHARE ROW EXCLUSIVE MODE')
    for (const { name, version, create } of projections) {
      await create(sql)
      await sql.query('INSERT INTO inline_projections VALUES ($1, $2, 0) ON CONFLICT DO NOTHING', [name, version])
    }
    await sql.commit()
  })

/** Brings projections up to the log's end, and reads it once for all of them. Errors: throws whatever a projection throws. */
const catchUpAll = async (connections: Connections, projections: ReadonlyArray<PostgresProjection>): Promise<void> => {
  for (let behind = projections; behind.length > 0; ) behind = await step(connections, behind)
}

/** Applies what processes of other releases have written. Errors: throws `LeftBehind` for what a projection throws. */
const understood = async <A>(apply: () => Promise<A>): Promise<A> => {
  try {
    return await apply()
  } catch (cause) {
    throw isOutsideWorld(cause) ? cause : new LeftBehind(cause)
  }
}

/** As `catchUpAll`, for a store that has been open. Errors: throws `LeftBehind` for what a projection throws. */
export const catchUpAgain = (connections: Connections, behind: ReadonlyArray<PostgresProjection>): Promise<void> =>
  understood(() => catchUpAll(connections, behind))

/**
 * Creates the projections' tables and catches all up with the log, which is read once, in transactions of bounded size.
 * Rows and marks belong to (name, version): a new version starts from the first event, beside the old one. Takes locks only where
 * something is missing, and waits for those of others for `patienceMs`.
 * Errors: throws `RangeError` where two have one name and version, `AlteredLog` where a mark lies past the log's end, and
 * whatever a projection throws.
 */
export const openProjections = async (
  connections: Connections,
  projections: ReadonlyArray<PostgresProjection>,
  patienceMs: number = usualPatienceMs,
): Promise<Projecting> => {
  if (new Set(projections.map(({ name, version }) => `${name}_${version}`)).size < projections.length)
    throw new RangeError('two projections have one name and version')
  if (projections.length > 0) await patiently(patienceMs, () => createAll(connections, projections))
  for (let behind = projections; behind.length > 0; )
    behind = await patiently(patienceMs, () => step(connections, behind))
  const marksOf = (applied: ReadonlyArray<number>, tail: number) =>
    projections.map((projection, index) => {
      const position = applied[index]
      if (position === undefined) throw new AlteredLog(`${projection.name} has no position in this log`)
      if (position > tail)
        throw new AlteredLog(`${projection.name} has applied position ${position}, but the log ended at ${tail}`)
      return { projection, position }
    })
  return {
    projections,
    behind: (sql) => findBehind(sql, projections),
    apply: async (sql, applied, { tail, events }) => {
      for (const { projection, position } of marksOf(applied, tail)) {
        if (position < tail) await understood(() => catchUp(sql, projection, position, tail))
        await projection.apply(sql, events)
      }
    },
    applyCopied: async (sql, { tail, events }) => {
      for (const { projection, position } of marksOf(await lockMarks(sql, projections), tail))
        if (position < tail) await catchUp(sql, projection, position, tail)
      await sentTogether([
        ...projections.map(({ apply }) => apply(sql, events)),
        moveMarks(sql, projections, tail + events.length),
      ])
    },
  }
}
