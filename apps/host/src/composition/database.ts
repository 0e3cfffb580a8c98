import type { SharedDatabase, Vault } from '@quittance/billing'
import { type Clock, deploymentTime, erasedSubjectsFile, openSharedTables, postgresVault } from '@quittance/billing'
import type { PostgresEventStore } from '@quittance/event-store/postgres'
import { isStoreFailure, NewerSchema } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { type Closers, closedLater } from '../closers.ts'
import type { Config } from '../config.ts'
import type { DataDir } from '../data-dir.ts'
import { databaseProgress, type ReadProgress } from '../log-progress.ts'
import type { ConfigProblem } from '../settings.ts'

/** A database that many processes share, with its vault. */
export type OpenedDatabase = {
  readonly shared: SharedDatabase
  readonly vault: Vault
  readonly readProgress: ReadProgress
  readonly untilWritten: PostgresEventStore['untilWritten']
}

type Problems = ReadonlyArray<ConfigProblem>

const problem = (variable: string, expected: string): E.Either<Problems, never> => E.left([{ variable, expected }])

/**
 * Opens the whole store in PostgreSQL: makes what is missing, and brings read models up to the log's end. Several processes may do so at once.
 */
export const openDatabase = async (
  databaseUrl: string,
  { vaultUrl }: Pick<Config, 'vaultUrl'>,
  files: DataDir,
  masterKey: Uint8Array,
  clock: Clock,
  closers: Closers,
): Promise<E.Either<Problems, OpenedDatabase>> => {
  // Loaded only here: no other store needs the driver.
  const { postgresEventStore, postgresPrograms, postgresReader } = await import('@quittance/event-store/postgres')
  const { postgresProjections, postgresReading } = await import('@quittance/projections/postgres')
  const at = { connectionString: databaseUrl }
  try {
    const log = closedLater(
      closers,
      await postgresEventStore({ ...at, clock: () => deploymentTime(clock), projections: postgresProjections }),
    )
    const sql = closedLater(closers, await postgresPrograms(at))
    await openSharedTables(sql)
    const reading = postgresReading(closedLater(closers, postgresReader(at)))
    const head = await log.logHead()
    if (E.isLeft(head)) throw head.left.cause
    const ofVault =
      vaultUrl === null ? sql : closedLater(closers, await postgresPrograms({ connectionString: vaultUrl }))
    const isNew = head.right.position === 0
    const vault = await postgresVault(ofVault, masterKey, isNew, erasedSubjectsFile(files.erased))
    return E.right({
      shared: { log, reading, sql },
      vault,
      readProgress: databaseProgress(log, sql),
      untilWritten: log.untilWritten,
    })
  } catch (cause) {
    if (cause instanceof NewerSchema)
      return problem('QUITTANCE_DATABASE_URL', `a database of this release (${cause.message})`)
    if (!isStoreFailure(cause)) throw cause
    const variable = vaultUrl === null ? 'QUITTANCE_DATABASE_URL' : 'QUITTANCE_DATABASE_URL and QUITTANCE_VAULT_URL'
    return problem(variable, `a PostgreSQL that answers (${messageOf(cause)})`)
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
