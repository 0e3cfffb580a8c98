import {
  type Clock,
  type DatabaseWithLog,
  deploymentTime,
  erasedSubjectsFile,
  fencedSql,
  openSharedTables,
  type ProjectedLog,
  postgresVault,
  type Vault,
} from '@quittance/billing'
import type { Sql } from '@quittance/event-store'
import type { ReleaseWatch } from '@quittance/event-store/postgres'
import { isStoreFailure, NewerSchema } from '@quittance/event-store/sqlite'
import { type Reading, UnreadableEvent } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type Closers, closedLater } from '../closers.ts'
import type { Config } from '../config.ts'
import type { DataDir } from '../data-dir.ts'
import { databaseProgress, type ReadProgress, serverProgress } from '../log-progress.ts'
import { isHalfCopied } from '../moving/database-mark.ts'
import type { ConfigProblem } from '../settings.ts'
import type { UntilWritten } from '../wake-on-writes.ts'
import { whileUnderstood } from '../while-understood.ts'
import type { WriteProbes } from '../writes-readiness.ts'
import { connectedLog, isOtherLog } from './event-log.ts'

/** A database that many processes share, with its vault; the log is in it, or on a server. */
export type OpenedDatabase = {
  readonly store:
    | { readonly _tag: 'whole'; readonly shared: DatabaseWithLog }
    | { readonly _tag: 'beside'; readonly beside: ProjectedLog }
  readonly vault: Vault
  readonly readProgress: ReadProgress
  readonly untilWritten: UntilWritten | null
  readonly writes: WriteProbes
  /** Null where the log is on a server, which keeps no tables of ours. */
  readonly release: ReleaseWatch | null
}

type Problems = ReadonlyArray<ConfigProblem>
type Given = {
  readonly databaseUrl: string
  readonly config: Pick<Config, 'vaultUrl' | 'eventStore' | 'eventStoreDeadlineMs'>
  readonly files: DataDir
  readonly masterKey: Uint8Array
  readonly clock: Clock
  readonly closers: Closers
}

const problem = (variable: string, expected: string): E.Either<Problems, never> => E.left([{ variable, expected }])

/**
 * Opens PostgreSQL as the store, makes what is missing there, and brings read models up to the log's end. Several processes may do
 * so at once.
 */
export const openDatabase = async (given: Given): Promise<E.Either<Problems, OpenedDatabase>> => {
  const { vaultUrl, eventStore } = given.config
  try {
    return eventStore === null ? await wholeStore(given) : await besideServer(given, eventStore)
  } catch (cause) {
    if (cause instanceof NewerSchema)
      return problem('QUITTANCE_DATABASE_URL', `a database of this release (${cause.message})`)
    if (cause instanceof UnreadableEvent)
      return problem('QUITTANCE_DATABASE_URL', `a database whose log this release can read (${cause.message})`)
    if (isOtherLog(cause))
      return problem('QUITTANCE_EVENT_STORE', 'the event store that the database was written beside')
    if (!isStoreFailure(cause)) throw cause
    const variable = vaultUrl === null ? 'QUITTANCE_DATABASE_URL' : 'QUITTANCE_DATABASE_URL and QUITTANCE_VAULT_URL'
    return problem(variable, `a PostgreSQL that answers (${messageOf(cause)})`)
  }
}

const wholeStore = async (given: Given): Promise<E.Either<Problems, OpenedDatabase>> => {
  const { databaseUrl, clock, closers } = given
  // Loaded only here: no other store needs the driver.
  const { postgresEventStore } = await import('@quittance/event-store/postgres')
  const { postgresProjections } = await import('@quittance/projections/postgres')
  const options = {
    connectionString: databaseUrl,
    clock: () => deploymentTime(clock),
    projections: postgresProjections,
  }
  const programs = await programsOf(given)
  // Before anything is made or caught up there, since the copy goes on where it has stopped.
  if (await programs.run(isHalfCopied))
    return problem('QUITTANCE_DATABASE_URL', 'a database that is copied to completely: run quittance copy again')
  const log = closedLater(closers, await postgresEventStore(options))
  const { sql, reading } = whileUnderstood(log.release, { sql: programs, reading: await tablesIn(given, programs) })
  const head = await log.logHead()
  if (E.isLeft(head)) throw head.left.cause
  return E.right({
    store: { _tag: 'whole', shared: { log, reading, sql } },
    ...(await vaultIn(given, sql, head.right.position === 0)),
    readProgress: databaseProgress(log, sql),
    untilWritten: log.untilWritten,
    release: log.release,
  })
}

const besideServer = async (given: Given, eventStore: string): Promise<E.Either<Problems, OpenedDatabase>> => {
  const { databaseUrl, config, clock, closers } = given
  const connected = await connectedLog(eventStore, config.eventStoreDeadlineMs, clock, closers)
  if (E.isLeft(connected)) return connected
  const log = connected.right
  const { postgresProjector } = await import('@quittance/projections/postgres')
  const sql = await programsOf(given)
  const reading = await tablesIn(given, sql)
  const projector = closedLater(closers, await postgresProjector(log, { connectionString: databaseUrl }))
  const begun = await projector.begin()
  if (E.isLeft(begun))
    return problem('QUITTANCE_EVENT_STORE', `an event store that answers (${messageOf(begun.left.cause)})`)
  return E.right({
    store: { _tag: 'beside', beside: { log, projector, reading, sql } },
    ...(await vaultIn(given, sql, projector.applied() === 0)),
    readProgress: serverProgress(projector),
    untilWritten: null,
    release: null,
  })
}

const programsOf = async ({ databaseUrl: connectionString, closers }: Given): Promise<Sql> => {
  const { postgresPrograms } = await import('@quittance/event-store/postgres')
  return closedLater(closers, await postgresPrograms({ connectionString }))
}

const tablesIn = async ({ databaseUrl: connectionString, closers }: Given, sql: Sql): Promise<Reading> => {
  const { postgresReader } = await import('@quittance/event-store/postgres')
  const { postgresReading } = await import('@quittance/projections/postgres')
  await openSharedTables(sql)
  return postgresReading(closedLater(closers, postgresReader({ connectionString })))
}

/** Only in the database that has the roles does a role guard what is written. */
const vaultIn = async (
  { config, files, masterKey, closers }: Given,
  sql: Sql,
  isNew: boolean,
): Promise<Pick<OpenedDatabase, 'vault' | 'writes'>> => {
  const { postgresPrograms, probePostgres } = await import('@quittance/event-store/postgres')
  const { vaultUrl } = config
  const open = (own: Sql): Promise<Vault> => postgresVault(own, masterKey, isNew, erasedSubjectsFile(files.erased))
  const database = () => probePostgres(sql)
  if (vaultUrl === null) return { vault: await open(fencedSql(sql)), writes: { database } }
  const own = closedLater(closers, await postgresPrograms({ connectionString: vaultUrl }))
  return { vault: await open(own), writes: { database, vault: () => probePostgres(own) } }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
