import type { RecordedEvent } from '@quittance/domain'
import {
  isOfFailedTransaction,
  isOutsideWorld,
  PostgresError,
  type PostgresProjection,
  type PostgresSchema,
  type PostgresSql,
  sentTogether,
} from '@quittance/event-store/postgres'
import { type Move, MovedCheckpoint, moveMarks, readMarks } from './feed-marks.ts'

/** Events that follow one another in the log, the first of them behind a position. */
export type Batch = {
  readonly after: bigint
  readonly events: ReadonlyArray<RecordedEvent>
  readonly last: RecordedEvent
}

/**
 * What became of a batch: it is applied; it was before; another process holds the lock; or the read models are not yet, or
 * no longer, where the batch begins.
 */
export type Outcome = 'applied' | 'known' | 'busy' | 'gone back'

/** A read model threw at one of several events, or at one. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly model: string
  constructor(model: string, cause: unknown) {
    super(`the read model ${model} refuses a batch`, { cause })
    this.model = model
  }
}

const lock = "((1364544855::bigint << 32) | 'feed_checkpoints'::regclass::oid::bigint)"

/** Of processes that make the tables of the same schema, the others wait until the transaction of one ends. */
export const openingLock = 'SELECT pg_advisory_xact_lock(1364544855, hashtext(current_schema()))'

/**
 * Applies a batch to every read model that has not seen it, and moves their checkpoints, in one transaction under the lock
 * of the schema. Errors: throws `Refused` and `PostgresError`; then nothing is applied.
 */
export const applyBatch = async (
  schema: PostgresSchema,
  projections: ReadonlyArray<PostgresProjection>,
  batch: Batch,
): Promise<Outcome> => {
  try {
    return await schema.transaction('soon', (sql) => applyUnderLock(sql, projections, batch, schema.wakeAll))
  } catch (cause) {
    if (cause instanceof MovedCheckpoint || isLocked(cause)) return 'busy'
    throw cause
  }
}

const isLocked = (cause: unknown): boolean => cause instanceof PostgresError && cause.code === '55P03'

const applyUnderLock = async (
  sql: PostgresSql,
  projections: ReadonlyArray<PostgresProjection>,
  { after, events, last }: Batch,
  wakeAll: string,
): Promise<Outcome> => {
  // Sent together. The second is run once the lock is there, and sees what its last holder has committed.
  const [, marks] = await Promise.all([
    sql.query(`SELECT pg_advisory_xact_lock${lock}`),
    readMarks(sql, projections, 'locked'),
  ])
  if (marks.some(({ position }) => position < after)) return 'gone back'
  const work = projections.flatMap((model, index): ReadonlyArray<Move & { readonly model: PostgresProjection }> => {
    const before = marks[index]
    if (before === undefined || before.position >= last.position) return []
    return [{ model, before, events: events.filter(({ position }) => position > before.position) }]
  })
  if (work.length === 0) return 'known'
  await sentTogether(work.map(({ model, events: fresh }) => refusing(model, sql, fresh)))
  await sentTogether([moveMarks(sql, work, last), sql.query(wakeAll)])
  return 'applied'
}

const refusing = async (
  { name, apply }: PostgresProjection,
  sql: PostgresSql,
  events: ReadonlyArray<RecordedEvent>,
): Promise<void> => {
  try {
    await apply(sql, events)
  } catch (cause) {
    if (isOutsideWorld(cause) || isOfFailedTransaction(cause)) throw cause
    throw new Refused(name, cause)
  }
}

/**
 * Ends the session of a process that holds the lock and has stopped reading in the midst of an answer: the server's own
 * time-outs do not end that. Sees, and ends, only sessions of the same role.
 */
export const endStuckHolder = ({ query }: PostgresSchema): Promise<unknown> =>
  query(`SELECT pg_terminate_backend(a.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND a.datname = current_database()
      AND l.database = a.datid AND l.classid = 1364544855 AND l.objid = 'feed_checkpoints'::regclass
      AND a.wait_event = 'ClientWrite'
      AND a.query_start < clock_timestamp() - nullif(current_setting('statement_timeout'), '0')::interval`)
