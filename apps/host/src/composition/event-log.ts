import { existsSync } from 'node:fs'
import { type Clock, deploymentTime, openRemoteLog, type RemoteLog } from '@quittance/billing'
import { streamCategories } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { OtherLog } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type Closers, closedLater } from '../closers.ts'
import type { DataDir } from '../data-dir.ts'
import { type TakeOverFailure, takeOver } from '../moving/take-over.ts'
import type { ConfigProblem } from '../settings.ts'

type Problems = ReadonlyArray<ConfigProblem>

const problem = (expected: string): E.Either<Problems, never> =>
  E.left([{ variable: 'QUITTANCE_EVENT_STORE', expected }])

/** Moves to the embedded log, if this directory used a remote log before and its copy is complete. */
export const takeOverToFile = (files: DataDir): E.Either<Problems, void> =>
  takenOver(files.readModels, files.events, 'the event store that the data directory was written beside')

const takenOver = (old: string, fresh: string, withoutCopy: string): E.Either<Problems, void> => {
  if (!existsSync(old)) return E.right(undefined)
  const taken = takeOver(old, fresh)
  return E.isLeft(taken) ? problem(whyNot(taken.left, withoutCopy)) : taken
}

const whyNot = (failure: TakeOverFailure, withoutCopy: string): string => {
  switch (failure) {
    case 'NoCopy':
      return withoutCopy
    case 'CopyOutdated':
      return `${withoutCopy}, or one that all of it is copied to: run quittance copy again`
    case 'StillInUse':
      return `${withoutCopy}: another process still has it open there`
  }
}

/** Connects to the log on a server, and brings the read models in the data directory up to its end. */
export const openServerLog = async (
  connectionString: string,
  deadlineMs: number,
  files: DataDir,
  clock: Clock,
  closers: Closers,
): Promise<E.Either<Problems, RemoteLog>> => {
  const taken = takenOver(files.events, files.readModels, 'sqlite: the data directory holds an event log of its own')
  if (E.isLeft(taken)) return taken
  const log = await connectedLog(connectionString, deadlineMs, clock, closers)
  if (E.isLeft(log)) return log
  try {
    const opened = await openRemoteLog({ log: log.right, path: files.readModels })()
    if (E.isLeft(opened)) return problem(`an event store that answers (${messageOf(opened.left.cause)})`)
    return E.right(closedLater(closers, opened.right))
  } catch (cause) {
    if (isOtherLog(cause)) return problem('the event store that the data directory was written beside')
    throw cause
  }
}

export const isOtherLog = (cause: unknown): boolean => cause instanceof OtherLog

/** The log on a server, which is asked nothing yet. */
export const connectedLog = async (
  connectionString: string,
  deadlineMs: number,
  clock: Clock,
  closers: Closers,
): Promise<E.Either<Problems, EventStore>> => {
  // Loaded only here, because an embedded log needs none of its many dependencies.
  const { eventStoreDb } = await import('@quittance/event-store/eventstoredb')
  const options = {
    connectionString,
    clock: () => deploymentTime(clock),
    deadlineMs,
    // Other applications may share the server, which then sends us none of their events.
    streamPrefixes: streamCategories.map((category) => `${category}-`),
  }
  const log = E.tryCatch(() => eventStoreDb(options), messageOf)
  if (E.isLeft(log)) return problem(`a connection string that can be used (${log.left})`)
  closers.push(log.right.close)
  return log
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
