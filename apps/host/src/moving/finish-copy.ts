import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { erasedSubjectsFile } from '@quittance/billing'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { dataFiles, madeDataDir } from '../data-dir.ts'
import { isAlone } from './alone.ts'
import { copiedEnd, copyPathOf, type LogEnd, markCopied } from './copied-log.ts'
import { copyUnloggedTables } from './unlogged-tables.ts'

export type Finishing = {
  /** Where the copy was made. */
  readonly copy: string
  /** The final path; null when the copy has to wait for a service to start on it. */
  readonly place: string | null
  /** The source's file; null when only the log was copied. */
  readonly source: string | null
  readonly end: LogEnd
  /** Whether the source has appended nothing since. */
  readonly isStillEnd: () => Promise<boolean>
  /** Copies the keys. Called once nothing is in the way of the copy. */
  readonly bringKeys: () => void
}

export type FinishFailure =
  /** Another process has one of the target's files open. */
  | 'TargetInUse'
  /** Events were appended after the copy, so tables outside the log may already refer to them. */
  | 'SourceGrew'

/**
 * Copies the tables outside the log and the keys, marks the copy as complete, and moves it to its final path. A cursor
 * that is ahead of the copied log would skip payments, so nothing is moved when the source has grown. Where a service
 * has to start on the copy first, that start checks again (`takeOver`).
 * Errors: nothing was changed then.
 */
export const finishCopy = async (finishing: Finishing): Promise<E.Either<FinishFailure, void>> => {
  const { copy, place, source, end } = finishing
  if (place !== null && place !== copy && existsSync(place) && !isFree(place)) return E.left('TargetInUse')
  const database = openDatabase(copy, { durability: 'full' })
  try {
    if (!isAlone(database)) return E.left('TargetInUse')
    if (source !== null) {
      const before = openDatabase(source, { durability: 'full', readOnly: true })
      try {
        // The reads below see the file as it was no later than the check of its end.
        before.execute('BEGIN')
        before.prepare('SELECT count(*) FROM sqlite_schema').get()
        if (place !== null && !(await finishing.isStillEnd())) return E.left('SourceGrew')
        copyUnloggedTables(before, database)
      } finally {
        before.close()
      }
    }
    finishing.bringKeys()
    markCopied(database, end, 'log')
  } finally {
    database.close()
  }
  if (place !== null && place !== copy) renameSync(copy, place)
  return E.right(undefined)
}

/** Whether no other process has a file open. */
export const isFree = (path: string): boolean => {
  const database = openDatabase(path, { durability: 'full' })
  try {
    return isAlone(database)
  } finally {
    database.close()
  }
}

/** Whether a directory holds the keys or the file of another deployment. */
export const holdsAnother = (directory: string, place: string): boolean => {
  if (!existsSync(place)) return existsSync(dataFiles(directory).vault) && !existsSync(copyPathOf(place))
  const database = openDatabase(place, { durability: 'full', readOnly: true })
  try {
    return copiedEnd(database) === null
  } finally {
    database.close()
  }
}

/** Copies the keys, the list of erased customers and the sandbox's network, as they are now, to another data directory. */
export const copyKeys = (from: string, to: string): void => copyBeside(from, to, ['vault', 'sandbox'])

/** As `copyKeys`, where a database has the vault, or gets it. */
export const copyKeyFiles = (from: string, to: string): void => copyBeside(from, to, ['sandbox'])

const copyBeside = (from: string, to: string, databases: ReadonlyArray<'vault' | 'sandbox'>): void => {
  const [before, after] = [dataFiles(from), madeDataDir(to)]
  for (const name of databases) {
    if (!existsSync(before[name])) continue
    const snapshot = copyPathOf(after[name])
    rmSync(snapshot, { force: true })
    const database = openDatabase(before[name], { durability: 'full', readOnly: true })
    try {
      database.prepare('VACUUM INTO ?').run(snapshot)
    } finally {
      database.close()
    }
    for (const rest of ['-wal', '-shm']) rmSync(`${after[name]}${rest}`, { force: true })
    renameSync(snapshot, after[name])
  }
  erasedSubjectsFile(after.erased).add(erasedSubjectsFile(before.erased).all())
  if (existsSync(before.masterKey)) copyFileSync(before.masterKey, after.masterKey)
}
