import { existsSync, renameSync, rmSync } from 'node:fs'
import { type KeptTable, replaceKept } from '@quittance/billing'
import { openDatabase, runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { dataFiles } from '../data-dir.ts'
import { isAlone } from './alone.ts'
import { copyPathOf, type LogEnd, markCopied } from './copied-log.ts'
import { markBegun, markComplete } from './database-mark.ts'
import { type FinishFailure, isFree } from './finish-copy.ts'
import { inDatabase, type Keeper, type KeyFailure, readKeptOf } from './kept.ts'
import { freeName } from './take-over.ts'

export type DatabaseKeeper = Extract<Keeper, { readonly _tag: 'database' }>

type Moving<From extends Keeper> = {
  readonly from: From
  readonly masterKey: Uint8Array | null
  readonly end: LogEnd
  /** Whether the source has appended nothing since. */
  readonly isStillEnd: () => Promise<boolean>
  /** Copies what stays in files, such as the list of erased customers. Called once nothing is in the way of the copy. */
  readonly bringFiles: () => void
}

type Finished = Promise<E.Either<FinishFailure | KeyFailure, void>>

/** Marks a database before a log is copied to it, so that no service starts on one that is not complete. */
export const beginInDatabase = (connectionString: string): Promise<void> =>
  inDatabase(connectionString, (sql) => sql.run(markBegun))

/**
 * Puts what belongs to a log beside its copy in a database, in one transaction, and marks the copy as complete.
 * Errors: the database stays marked as not complete. Throws the failures of files and databases.
 */
export const finishInDatabase = async (moving: Moving<Keeper> & { readonly to: DatabaseKeeper }): Finished => {
  const { from, to, end } = moving
  const read = await readKeptOf(from, to, moving.masterKey, moving.isStillEnd)
  if (E.isLeft(read)) return read
  const { unlogged, vault } = read.right
  moving.bringFiles()
  if (vault !== null && to.vaultUrl !== null)
    await inDatabase(to.vaultUrl, (sql) => sql.run(replaceKept(sql.dialect, 'vault', vault)))
  await inDatabase(to.connectionString, ({ run, dialect }) =>
    run(function* () {
      yield* replaceKept(dialect, 'unlogged', unlogged)()
      if (vault !== null && to.vaultUrl === null) yield* replaceKept(dialect, 'vault', vault)()
      yield* markComplete(end)()
    }),
  )
  return E.right(undefined)
}

export type FinishingInFiles = Moving<DatabaseKeeper> & {
  /** Where the copy was made, and its final path. */
  readonly copy: string
  readonly place: string
  readonly directory: string
}

/**
 * Puts what belongs to a log in a database beside its copy in a data directory, which it moves to its final path. A file of
 * another setting, which knows less than the copy, is kept as `<name>.moved-<n>`.
 * Killed in between, the directory has no log: no service starts there (`unfinishedCopy`) until the copy is run again.
 * Errors: nothing was changed then. Throws the failures of files and databases.
 */
export const finishInFiles = async (moving: FinishingInFiles): Finished => {
  const { from, copy, place, directory } = moving
  const { events, readModels, vault: vaultFile } = dataFiles(directory)
  const others = [events, readModels].filter((path) => path !== place && existsSync(path))
  const inTheWay = place === copy || !existsSync(place) ? others : [place, ...others]
  if (!inTheWay.every(isFree)) return E.left('TargetInUse')
  const database = openDatabase(copy, { durability: 'full' })
  try {
    if (!isAlone(database)) return E.left('TargetInUse')
    const to = { _tag: 'files', unlogged: null, vault: vaultFile } as const
    const read = await readKeptOf(from, to, moving.masterKey, moving.isStillEnd)
    if (E.isLeft(read)) return read
    runNow(database, replaceKept(sqlitePrograms(database).dialect, 'unlogged', read.right.unlogged))
    if (read.right.vault !== null) writeVault(vaultFile, read.right.vault)
    moving.bringFiles()
    markCopied(database, moving.end, 'all')
  } finally {
    database.close()
  }
  for (const other of others) renameSync(other, freeName(other))
  if (place !== copy) renameSync(copy, place)
  return E.right(undefined)
}

/** Replaces the file of a vault, whole. */
const writeVault = (path: string, kept: ReadonlyArray<KeptTable>): void => {
  const fresh = copyPathOf(path)
  for (const rest of ['', '-wal', '-shm']) rmSync(`${fresh}${rest}`, { force: true })
  const database = openDatabase(fresh, { durability: 'full' })
  try {
    runNow(database, replaceKept(sqlitePrograms(database).dialect, 'vault', kept))
    isAlone(database)
  } finally {
    database.close()
  }
  for (const rest of ['-wal', '-shm']) rmSync(`${path}${rest}`, { force: true })
  renameSync(fresh, path)
}
