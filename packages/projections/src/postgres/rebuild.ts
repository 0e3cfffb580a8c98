import {
  inPostgresLog,
  isStoreFailure,
  NewerSchema,
  type PostgresLogOptions,
  type PostgresLogSession,
} from '@quittance/event-store/postgres'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type RebuildFailure, type Rebuilding, totalProgress } from '../rebuild/rebuild.ts'
import type { Progress, Rebuilt } from '../rebuild/rebuild-model.ts'
import { postgresRowWriters } from './projections.ts'
import { countEvents, rebuildModel } from './rebuild-model.ts'
import type { PostgresRowWriter } from './write-rows.ts'

/** What is rebuilt in the schema of a log, as `rebuild` takes it. */
export type PostgresRebuilding = PostgresLogOptions &
  Pick<Rebuilding, 'models' | 'compareOnly' | 'onProgress'> & {
    /** Read models of others than Quittance, in the same schema. */
    readonly own?: ReadonlyArray<PostgresRowWriter>
  }

/** Why read models on PostgreSQL cannot be rebuilt; they are in their log's schema, so it is never another log. */
export type PostgresRebuildFailure = Exclude<RebuildFailure, { readonly _tag: 'OtherLog' }>

/**
 * Rebuilds read models one after the other, while the log may be in use. One rebuild of a schema runs at a time: a second
 * one is refused, and a killed one does not block the next.
 * Errors: throws `RangeError` where an own read model has the name of another, and what a fold throws at an event that
 * this release cannot read.
 */
export const postgresRebuild =
  (options: PostgresRebuilding): TE.TaskEither<PostgresRebuildFailure, ReadonlyArray<Rebuilt>> =>
  async () => {
    const writers = [...postgresRowWriters, ...(options.own ?? [])]
    if (new Set(writers.map(({ name }) => name)).size < writers.length)
      throw new RangeError('two read models have one name')
    const chosen = writers.filter(({ name }) => options.models === null || options.models.includes(name))
    try {
      return await inPostgresLog(options, async (session) => {
        if ((await session.schemaVersion()) === 0) return E.left({ _tag: 'NothingToRebuild' })
        const rebuilt = await alone(session, () => rebuildAll(session, chosen, options))
        return rebuilt === null ? E.left({ _tag: 'AlreadyRebuilding' }) : E.right(rebuilt)
      })
    } catch (cause) {
      if (cause instanceof NewerSchema) return E.left({ _tag: 'NewerSchema', message: cause.message })
      if (!isStoreFailure(cause)) throw cause
      return E.left({ _tag: 'StoreUnavailable', cause })
    }
  }

/** Works under the lock of rebuilds, which ends with the session at the latest; null where another session has it. */
const alone = async <A>({ transaction }: PostgresLogSession, work: () => Promise<A>): Promise<A | null> => {
  const ask = (answer: string) => transaction('usual', (sql) => sql.query(`SELECT ${answer} AS done`))
  const lock = "((1364544854::bigint << 32) | 'events'::regclass::oid::bigint)"
  const { rows } = await ask(`pg_try_advisory_lock${lock}`)
  if (rows[0]?.done !== true) return null
  const result = await work()
  // The server ends a session a moment after its client does: by then somebody may have tried again.
  await ask(`pg_advisory_unlock${lock}`)
  return result
}

const rebuildAll = async (
  session: PostgresLogSession,
  writers: ReadonlyArray<PostgresRowWriter>,
  { compareOnly, onProgress }: PostgresRebuilding,
): Promise<ReadonlyArray<Rebuilt>> => {
  const progress = new Map<string, Progress>()
  for (const writer of writers) {
    const all = await session.transaction('usual', (sql) => countEvents(sql, writer))
    progress.set(writer.name, { done: 0, all, comparedRows: 0 })
  }
  const rebuilt: Array<Rebuilt> = []
  for (const writer of writers) {
    const onProgressOf = (own: Progress): void => {
      progress.set(writer.name, own)
      onProgress({ model: writer.name, ...totalProgress([...progress.values()]) })
    }
    rebuilt.push(await rebuildModel(session, writer, { compareOnly, onProgress: onProgressOf }))
  }
  return rebuilt
}
