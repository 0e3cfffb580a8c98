import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { openDatabase } from '@quittance/event-store/sqlite'
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
}

/**
 * Carries over what is in no log, notes that the copy is whole, and puts it in its place. False where another process
 * has one of the target's files open: nothing was changed then.
 */
export const finishCopy = ({ copy, place, source, end }: Finishing): boolean => {
  if (place !== null && place !== copy && existsSync(place) && !isFree(place)) return false
  const database = openDatabase(copy, { durability: 'full' })
  try {
    if (!isAlone(database)) return false
    if (source !== null) {
      const before = openDatabase(source, { durability: 'full', readOnly: true })
      try {
        carryOver(before, database)
      } finally {
        before.close()
      }
    }
    markCopied(database, end)
  } finally {
    database.close()
  }
  if (place !== null && place !== copy) renameSync(copy, place)
  return true
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
