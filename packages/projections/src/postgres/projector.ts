import { setTimeout as pause } from 'node:timers/promises'
import type { RecordedEvent } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import {
  isStoreFailure,
  openPostgresSchema,
  type PostgresLogOptions,
  type PostgresProjection,
  type PostgresSchema,
} from '@quittance/event-store/postgres'
import { ProjectionDefect, readable } from '../feed/failures.ts'
import { inBatches } from '../feed/in-batches.ts'
import { lowestOf, orUnavailable, progressOf } from '../feed/progress.ts'
import type { Projector } from '../feed/projector.ts'
import { requireLogOf } from '../feed/require-log-of.ts'
import { applyBatch, type Batch, endStuckHolder, openingLock, Refused } from './apply-batch.ts'
import { createMarks } from './feed-marks.ts'
import { watchMarks } from './marks-watch.ts'
import { postgresProjections } from './projections.ts'

const eventsPerCommit = 500
const beforeFollowingAgainMs = 250
/** What a process that was not the last to apply events leaves to the one that was. */
const headStartMs = 100
/** Statements of a batch are small, and a process that is paused among them keeps the others from going on. */
const usualTimeouts = { statement: 10_000, idleInTransaction: 3_000 }

/**
 * Opens the read models of a log on a server in a schema of PostgreSQL, made if missing: rows and checkpoints are committed
 * together, what has arrived at once in one transaction. A read model of a new version starts from the first event.
 *
 * Any number of processes may do this. Each reads the log; one of them applies it, and the others wait until it has, or go
 * on in its place. A process that never begins sees by `reached` what others have applied. `reached` and `catchUp` ask
 * the database each time, so they hold after a server that lost its last commits, or was restored, too: the projectors
 * then begin again behind what it still has.
 *
 * Errors: rejects with `RangeError` where two projections have one name and version, for a schema's name, and for the schema
 * of a log; with `PostgresError` where it cannot be opened. The projector answers `StoreUnavailable` where the database or
 * the log fails.
 */
export const postgresProjector = async (
  log: EventStore,
  options: PostgresLogOptions,
  projections: ReadonlyArray<PostgresProjection> = postgresProjections,
): Promise<Projector> => {
  if (new Set(projections.map(({ name, version }) => `${name}_${version}`)).size < projections.length)
    throw new RangeError('two projections have one name and version')
  const schema = await opened(options, projections)
  const closing = new AbortController()
  const marks = watchMarks(schema, projections, closing.signal)
  let applying: Promise<void> = Promise.resolve()
  let turn: Promise<unknown> = Promise.resolve()
  let wasLast = false
  let defect: string | null = null

  const lowest = async () => lowestOf(await marks.read())

  /** One after the other, so that this process does not compete with itself. */
  const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }

  const applyTogether = async (batch: Batch): Promise<'done' | 'gone back'> => {
    while (!closing.signal.aborted) {
      if (!wasLast && (await marks.passes(batch.last.position, headStartMs))) return 'done'
      const outcome = await inTurn(() => applyBatch(schema, projections, batch))
      wasLast = outcome === 'applied'
      if (outcome === 'gone back') return outcome
      if (outcome !== 'busy') return 'done'
      await endStuckHolder(schema)
    }
    return 'done'
  }

  /** Event by event, once a projection has refused a batch: those before the one that it cannot apply are applied. */
  const applyEach = async ({ after, events }: Batch): Promise<'done' | 'gone back'> => {
    let before = after
    for (const event of events) {
      try {
        const outcome = await applyTogether({ after: before, events: [event], last: event })
        if (outcome === 'gone back') return outcome
      } catch (cause) {
        if (!(cause instanceof Refused)) throw cause
        defect = cause.model
        throw new ProjectionDefect(cause.model, event, cause.cause)
      }
      before = event.position
    }
    return 'done'
  }

  const apply = async (batch: Batch): Promise<'done' | 'gone back'> => {
    const outcome = await applyTogether(batch).catch((cause: unknown) => {
      if (cause instanceof Refused) return applyEach(batch)
      throw cause
    })
    defect = null
    return outcome
  }

  /** Applies events that follow a position, until there are no more or the read models have gone back. */
  const applyAll = async (events: AsyncIterable<RecordedEvent>, position: bigint): Promise<'done' | 'gone back'> => {
    let after = position
    for await (const batch of inBatches(readable(events), eventsPerCommit)) {
      const last = batch.at(-1)
      if (last === undefined) continue
      if (closing.signal.aborted || (await apply({ after, events: batch, last })) === 'gone back') return 'gone back'
      after = last.position
    }
    return 'done'
  }

  const applyLog = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const { position } = await lowest()
      if ((await applyAll(log.readAll(position), position)) === 'done') break
    }
    // For `applied`.
    await marks.read()
  }

  const followOnce = async (signal: AbortSignal): Promise<void> => {
    const { position } = await lowest()
    await applyAll(log.subscribe(position, signal), position)
  }

  /** Begins again after any failure: callers of `catchUp`, as the workers are, meet the same failure and report it. */
  const follow = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const attempt = new AbortController()
      await followOnce(AbortSignal.any([closing.signal, attempt.signal])).catch(() => undefined)
      attempt.abort()
      await pause(beforeFollowingAgainMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  return {
    begin: orUnavailable(async () => {
      const { last } = await lowest()
      if (last !== null) await requireLogOf(log, last)
      await applyLog()
      applying = follow()
    }, isStoreFailure),
    catchUp: orUnavailable(applyLog, isStoreFailure),
    reached: marks.reached,
    progress: orUnavailable(async () => {
      const found = await marks.read()
      const models = projections.flatMap(({ name, version }, index) => {
        const mark = found[index]
        return mark === undefined ? [] : [{ name, version, mark }]
      })
      return progressOf(log, models, defect)
    }, isStoreFailure),
    applied: marks.applied,
    close: async () => {
      if (closing.signal.aborted) return
      closing.abort()
      await applying
      await turn
      await schema.close()
    },
  }
}

/** Opens the schema with the tables of these projections. */
const opened = async (
  { timeouts, ...options }: PostgresLogOptions,
  projections: ReadonlyArray<PostgresProjection>,
): Promise<PostgresSchema> => {
  const schema = await openPostgresSchema({
    ...options,
    timeouts: { ...usualTimeouts, ...timeouts },
    subject: 'read_models',
    connections: 2,
  })
  try {
    await schema.transaction('full', async (sql) => {
      await sql.query(openingLock)
      const { rows } = await sql.query("SELECT to_regclass('inline_projections') IS NOT NULL AS found")
      if (rows[0]?.found === true)
        throw new RangeError('This schema holds a log, whose own appends write its read models: name another')
      for (const { create } of projections) await create(sql)
      await createMarks(sql, projections)
    })
  } catch (cause) {
    await schema.close()
    throw cause
  }
  return schema
}
