import { existsSync } from 'node:fs'
import type { EventStore, ReadFailure, ReadsByStream } from '@quittance/event-store'
import { type CopyFailure, type CopyTarget, intoServer, intoSqlite } from '@quittance/event-store/copy'
import type { EventStoreDb } from '@quittance/event-store/eventstoredb'
import type { PostgresLogOptions } from '@quittance/event-store/postgres'
import {
  buildProjections,
  isStoreFailure,
  NewerSchema,
  openDatabase,
  readSchemaVersion,
  sqliteEventStore,
} from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandError, messageOf, refused, usageError } from '../command-error.ts'
import type { LogLocation } from './copy-locations.ts'

export type Closers = Array<() => void | Promise<void>>

/** Closes the logs and files that the work opened, the last one first. */
export const withClosers = async <A>(work: (closers: Closers) => Promise<A>): Promise<A> => {
  const closers: Closers = []
  try {
    return await work(closers)
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

const answerWithinMs = 5_000

export const openServer = async (
  connectionString: string,
  option: string,
  closers: Closers,
): Promise<E.Either<CommandError, EventStoreDb>> => {
  // Loaded only here: no other store needs the client.
  const { eventStoreDb } = await import('@quittance/event-store/eventstoredb')
  const opened = E.tryCatch(
    () => eventStoreDb({ connectionString, clock: Date.now, deadlineMs: answerWithinMs }),
    (cause) => usageError(`${option} needs a connection string that can be used (${messageOf(cause)}).`),
  )
  if (E.isRight(opened)) closers.push(opened.right.close)
  return opened
}

/** Opens a log in a database. Throws the causes that are not of the database. */
const openInDatabase = async <A>(open: () => Promise<A>): Promise<E.Either<CommandError, A>> => {
  try {
    return E.right(await open())
  } catch (cause) {
    if (cause instanceof NewerSchema) return E.left(refused('newer_schema', cause.message))
    if (!isStoreFailure(cause)) throw cause
    return E.left(refused('store_unavailable', `The database cannot be used (${messageOf(cause)}).`))
  }
}

/** Opens a file. Throws the causes that are not of the file. */
const openFile = <A>(path: string, open: () => A): E.Either<CommandError, A> =>
  E.tryCatch(open, (cause) => {
    if (cause instanceof NewerSchema) return refused('newer_schema', cause.message)
    if (!isStoreFailure(cause)) throw cause
    return refused('store_unavailable', `${path} cannot be used (disk, lock or file: ${messageOf(cause)}).`)
  })

type ReadableLog =
  | { readonly _tag: 'file'; readonly path: string }
  | { readonly _tag: 'server'; readonly connectionString: string }
  | { readonly _tag: 'database'; readonly connectionString: string }

/** A log to read, and a count of its events. */
export type SourceLog = {
  readonly log: Pick<EventStore, 'readAll'> & Partial<ReadsByStream>
  readonly count: () => Promise<E.Either<CopyFailure, number>>
}

export const openSource = async (
  location: ReadableLog,
  closers: Closers,
): Promise<E.Either<CommandError, SourceLog>> => {
  if (location._tag === 'database') {
    // Loaded only here: no other store needs the driver.
    const { postgresLogReader } = await import('@quittance/event-store/postgres')
    const log = await openInDatabase(() => postgresLogReader({ connectionString: location.connectionString }))
    if (E.isLeft(log)) return log
    if (log.right === null) return E.left(refused('no_event_log', 'There is no event log in the database.'))
    const { readAll, readByStream, logHead, close } = log.right
    closers.push(close)
    const count = async () => E.right((await logHead()).position)
    return E.right({ log: { readAll, readByStream }, count })
  }
  if (location._tag === 'server') {
    const log = await openServer(location.connectionString, '--from', closers)
    return E.isLeft(log) ? log : E.right({ log: log.right, count: () => countEvents(log.right) })
  }
  const { path } = location
  const holds = existsSync(path) ? openFile(path, () => holdsLog(path)) : E.right(false)
  if (E.isLeft(holds)) return holds
  if (!holds.right) return E.left(refused('no_event_log', `There is no event log at ${path}.`))
  const log = sqliteEventStore({ path, clock: Date.now, projections: [], readOnly: true })
  closers.push(log.close)
  return E.right({ log, count: async () => E.right(log.logHead().position) })
}

const holdsLog = (path: string): boolean => {
  const database = openDatabase(path, { durability: 'full', readOnly: true })
  try {
    return readSchemaVersion(database) > 0
  } finally {
    database.close()
  }
}

const countEvents = async (log: EventStore): Promise<E.Either<CopyFailure, number>> => {
  try {
    let events = 0
    for await (const _ of log.readAll(0n)) events += 1
    return E.right(events)
  } catch (cause) {
    return E.left({ _tag: 'LogUnavailable', log: 'source', cause })
  }
}

/** A log to write to. */
export type TargetLog = {
  readonly log: CopyTarget
  /**
   * Builds those of the read models in its file or database that were not written with its events, and puts all on the disk.
   * Those beside a server are written as the copy is read back.
   */
  readonly finishRows: () => Promise<E.Either<ReadFailure, void>>
}

/** `work` is the file that the copy is made in, or the read models of a log on a server. */
export const openTarget = async (
  location: LogLocation,
  work: string,
  closers: Closers,
): Promise<E.Either<CommandError, TargetLog>> => {
  switch (location._tag) {
    case 'database':
      return openDatabaseTarget({ connectionString: location.connectionString }, closers)
    case 'server': {
      const log = await openServer(location.connectionString, '--to', closers)
      if (E.isLeft(log)) return log
      return E.right({ log: intoServer(log.right), finishRows: async () => E.right(undefined) })
    }
    case 'file': {
      const log = openFile(work, () => intoSqlite(work, inlineProjections))
      if (E.isLeft(log)) return log
      closers.push(log.right.close)
      const finishRows = async () => {
        // In turns, or a server would end the source's connection, whose keep-alive nobody answers.
        await buildProjections(work, inlineProjections)
        log.right.flush()
        return E.right(undefined)
      }
      return E.right({ log: log.right, finishRows })
    }
  }
}

const openDatabaseTarget = async (
  at: PostgresLogOptions,
  closers: Closers,
): Promise<E.Either<CommandError, TargetLog>> => {
  const { intoPostgres, postgresEventStore } = await import('@quittance/event-store/postgres')
  const { postgresProjections } = await import('@quittance/projections/postgres')
  const log = await openInDatabase(() => intoPostgres(at, postgresProjections))
  if (E.isLeft(log)) return log
  closers.push(log.right.close)
  return E.right({
    log: log.right,
    finishRows: async () => {
      try {
        const store = await postgresEventStore({ ...at, clock: Date.now, projections: postgresProjections })
        await store.close()
        return E.right(undefined)
      } catch (cause) {
        if (!isStoreFailure(cause)) throw cause
        return E.left({ _tag: 'StoreUnavailable', cause })
      }
    },
  })
}
