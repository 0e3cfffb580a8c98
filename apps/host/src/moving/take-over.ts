import { existsSync, linkSync, renameSync, unlinkSync } from 'node:fs'
import type { SqlDatabase } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { isAlone } from './alone.ts'
import { copiedEnd, copyPathOf, holdsAllOf, holdsUnlogged } from './copied-log.ts'
import { copyUnloggedTables } from './unlogged-tables.ts'

export type TakeOverFailure =
  /** The log of this directory was not copied to the configured place. */
  | 'NoCopy'
  /** Events were appended after the copy. */
  | 'CopyOutdated'
  /** Another process has the old file open. */
  | 'StillInUse'

/**
 * Replaces the old file with its finished copy, when a service first starts on another kind of log. Copies the tables
 * outside the log at this moment, unless the copy has brought its own, while no other process can have `old` open, and keeps `old` as `<old>.moved-<n>`.
 * Safe to kill and repeat at any point; in between, both files exist and neither setting starts.
 * Errors: throws the driver's `SqliteError` and file system errors.
 */
export const takeOver = (old: string, fresh: string): E.Either<TakeOverFailure, void> => {
  const copy = [copyPathOf(fresh), fresh].find((path) => existsSync(path))
  if (copy === undefined) return E.left('NoCopy')
  const before = openDatabase(old, { durability: 'full' })
  try {
    if (!isAlone(before)) return E.left('StillInUse')
    before.execute('BEGIN EXCLUSIVE')
    const filled = fill(copy, before)
    if (E.isLeft(filled)) return filled
    linkSync(old, freeName(old))
    if (copy !== fresh) renameSync(copy, fresh)
    unlinkSync(old)
    return filled
  } finally {
    before.close()
  }
}

const fill = (path: string, before: SqlDatabase): E.Either<TakeOverFailure, void> => {
  const copy = openDatabase(path, { durability: 'full' })
  try {
    const end = copiedEnd(copy)
    if (end === null) return E.left('NoCopy')
    if (!holdsAllOf(before, end)) return E.left('CopyOutdated')
    if (!holdsUnlogged(copy)) copyUnloggedTables(before, copy)
    return isAlone(copy) ? E.right(undefined) : E.left('StillInUse')
  } finally {
    copy.close()
  }
}

/** The first free name for an old file that is kept. */
export const freeName = (path: string): string => {
  for (let n = 1; ; n += 1) {
    const name = `${path}.moved-${n}`
    if (!existsSync(name)) return name
  }
}
