import { existsSync } from 'node:fs'
import type { EventStore, ReadFailure } from '@quittance/event-store'
import { type CopyFailure, type CopyTarget, intoSqlite, intoStore } from '@quittance/event-store/copy'
import { type EventStoreDb, eventStoreDb } from '@quittance/event-store/eventstoredb'
import {
  isStoreFailure,
  NewerSchema,
  openDatabase,
  readSchemaVersion,
  sqliteEventStore,
} from '@quittance/event-store/sqlite'
import { createProjector, inlineProjections } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Complaint, misuse, refused } from '../complaint.ts'
import type { Place } from './copy-places.ts'

/** What has to be closed again, in the order in which it was opened. */
export type Closers = Array<() => void | Promise<void>>

const answerWithinMs = 5_000

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const openServer = (connectionString: string, option: string, closers: Closers): E.Either<Complaint, EventStoreDb> => {
  const opened = E.tryCatch(
    () => eventStoreDb({ connectionString, clock: Date.now, deadlineMs: answerWithinMs }),
    (cause) => misuse(`${option} needs a connection string that can be used (${messageOf(cause)}).`, 'copy'),
  )
  if (E.isRight(opened)) closers.push(opened.right.close)
  return opened
}

const unusable =
  (path: string) =>
  (cause: unknown): Complaint => {
    if (cause instanceof NewerSchema) return refused('newer_schema', cause.message)
    if (!isStoreFailure(cause)) throw cause
    return refused('store_unavailable', `${path} cannot be used (disk, lock or file: ${messageOf(cause)}).`)
  }

/** A log to read, and what counts its events. */
export type Source = { readonly log: EventStore; readonly count: TE.TaskEither<CopyFailure, number> }

export const openSource = (place: Place, closers: Closers): E.Either<Complaint, Source> => {
  if (place._tag === 'server') {
    return E.map((log: EventStoreDb): Source => ({ log, count: countOf(log) }))(
      openServer(place.connectionString, '--from', closers),
    )
  }
  const { path } = place
  const noLog = refused('no_event_log', `There is no event log at ${path}.`)
  return pipe(
    existsSync(path) ? E.right(path) : E.left(noLog),
    E.chain(() => E.tryCatch(() => holdsLog(path), unusable(path))),
    E.chain((isThere) => (isThere ? E.right(path) : E.left(noLog))),
    E.map(() => {
      const log = sqliteEventStore({ path, clock: Date.now, projections: [], readOnly: true })
      closers.push(log.close)
      return { log, count: TE.fromIO(() => log.logHead().position) }
    }),
  )
}

const holdsLog = (path: string): boolean => {
  const database = openDatabase(path, { durability: 'full', readOnly: true })
  try {
    return readSchemaVersion(database) > 0
  } finally {
    database.close()
  }
}

const countOf = (log: EventStore): TE.TaskEither<CopyFailure, number> =>
  TE.tryCatch(
    async () => {
      let events = 0
      for await (const _ of log.readAll(0n)) events += 1
      return events
    },
    (cause) => ({ _tag: 'LogUnavailable', log: 'source', cause }),
  )

/** A log to write to, and what makes the read models of it in a file: that of the log itself, or one beside it. */
export type Target = { readonly log: CopyTarget; readonly buildRows: TE.TaskEither<ReadFailure, void> }

/** `work` is the file that the copy is made in, or the read models of a server's log. */
export const openTarget = (place: Place, work: string, closers: Closers): E.Either<Complaint, Target> => {
  if (place._tag === 'server') {
    return E.map(
      (log: EventStoreDb): Target => ({
        log: intoStore(log),
        buildRows: async () => {
          const rows = openDatabase(work, { durability: 'relaxedLosesCommitsOnPowerLoss' })
          const projector = createProjector(log, rows, inlineProjections)
          const built = await projector.catchUp()
          await projector.close()
          rows.close()
          return built
        },
      }),
    )(openServer(place.connectionString, '--to', closers))
  }
  return pipe(
    E.tryCatch(() => intoSqlite(work), unusable(work)),
    E.map((log) => {
      closers.push(log.close)
      // Opening the log as a service does is what brings its read models up to its end.
      const open = () => sqliteEventStore({ path: work, clock: Date.now, projections: inlineProjections })
      return { log, buildRows: TE.fromIO(() => open().close()) }
    }),
  )
}
