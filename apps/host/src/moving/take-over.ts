import { existsSync, linkSync, renameSync, unlinkSync } from 'node:fs'
import type { SqlDatabase } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { isAlone } from './alone.ts'
import { carryOver } from './carry-over.ts'
import { copiedEnd, copyPathOf, holdsAllOf } from './copied-log.ts'

export type TakeOverFailure =
  /** Nobody has copied the log of this directory to where it is now looked for. */
  | 'NoCopy'
  /** Events were appended after the copy. */
  | 'CopyOutdated'
  /** Another process has the file of the old setting open. */
  | 'StillInUse'

/**
 * Puts a finished copy in the place of what it was copied from: the first start of a service on another kind of log.
 * `old` is the file of the setting before, `fresh` that of the new one. What is in no log is carried over at this moment,
 * while nobody else can have `old` open, which is kept as `<old>.moved-<n>`. It may be killed anywhere and done again;
 * in between, both files stand side by side and neither setting starts.
 * Errors: throws the driver's `SqliteError`, and what the file system says.
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
    carryOver(before, copy)
    return isAlone(copy) ? E.right(undefined) : E.left('StillInUse')
  } finally {
    copy.close()
  }
}

const freeName = (path: string): string => {
  for (let n = 1; ; n += 1) {
    const name = `${path}.moved-${n}`
    if (!existsSync(name)) return name
  }
}
