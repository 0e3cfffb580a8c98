import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { dataFiles, madeDataDir } from '../data-dir.ts'
import { isAlone } from './alone.ts'
import { carryOver } from './carry-over.ts'
import { copiedEnd, copyPathOf, type LogEnd, markCopied } from './copied-log.ts'

export type Finishing = {
  /** Where the copy was made. */
  readonly copy: string
  /** Where it belongs; null where it has to wait there for a service to start on it. */
  readonly place: string | null
  /** The source's own file; null where the log alone was copied. */
  readonly source: string | null
  readonly end: LogEnd
  /** Whether the source's log still ends there. */
  readonly isStillEnd: () => Promise<boolean>
  /** Brings the keys, once nothing is in the copy's way. */
  readonly bringKeys: () => void
}

export type FinishFailure =
  /** Another process has one of the target's files open. */
  | 'TargetInUse'
  /** Events were appended after the copy: what is in no log may already tell of them. */
  | 'SourceGrew'

/**
 * Carries over what is in no log, brings the keys, notes that the copy is whole, and puts it in its place. A cursor that
 * is further than the copied log would pass payments over, so nothing is put in place beside a source that has grown;
 * where a service has to start on the copy first, that start looks again (`takeOver`).
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
        // What is read from here on is what stood in the file when the log was asked for its end, or before.
        before.execute('BEGIN')
        before.prepare('SELECT count(*) FROM sqlite_schema').get()
        if (place !== null && !(await finishing.isStillEnd())) return E.left('SourceGrew')
        carryOver(before, database)
      } finally {
        before.close()
      }
    }
    finishing.bringKeys()
    markCopied(database, end)
  } finally {
    database.close()
  }
  if (place !== null && place !== copy) renameSync(copy, place)
  return E.right(undefined)
}

const isFree = (path: string): boolean => {
  const database = openDatabase(path, { durability: 'full' })
  try {
    return isAlone(database)
  } finally {
    database.close()
  }
}

/** Whether a directory holds what no copy has brought there: the keys, or the file, of another deployment. */
export const holdsAnother = (directory: string, place: string): boolean => {
  if (!existsSync(place)) return existsSync(dataFiles(directory).vault) && !existsSync(copyPathOf(place))
  const database = openDatabase(place, { durability: 'full', readOnly: true })
  try {
    return copiedEnd(database) === null
  } finally {
    database.close()
  }
}

/** Copies keys, and the sandbox's network, to another data directory, as they are at this moment. */
export const copyKeys = (from: string, to: string): void => {
  const [before, after] = [dataFiles(from), madeDataDir(to)]
  for (const name of ['vault', 'sandbox'] as const) {
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
  if (existsSync(before.masterKey)) copyFileSync(before.masterKey, after.masterKey)
}
