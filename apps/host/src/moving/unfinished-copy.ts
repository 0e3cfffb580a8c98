import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import type { DataDir } from '../data-dir.ts'
import type { ConfigProblem } from '../settings.ts'
import { copiedEnd, copyPathOf } from './copied-log.ts'

/**
 * The problem with a data directory that a copy was putting in place when it was killed: the keys are there or the old file
 * is away, and the copy is not at its final path yet. A new log must not begin there.
 */
export const unfinishedCopy = (files: DataDir): E.Either<ReadonlyArray<ConfigProblem>, void> => {
  const places = [files.events, files.readModels]
  if (places.some((path) => existsSync(path))) return E.right(undefined)
  const copy = places.map(copyPathOf).find((path) => existsSync(path))
  if (copy === undefined || !(existsSync(files.vault) || isComplete(copy))) return E.right(undefined)
  const next = `${basename(copy)} is not in place yet: run quittance copy again`
  return E.left([{ variable: 'QUITTANCE_DATA_DIR', expected: `a directory whose copy was not interrupted: ${next}` }])
}

const isComplete = (copy: string): boolean => {
  const database = openDatabase(copy, { durability: 'full', readOnly: true })
  try {
    return copiedEnd(database) !== null
  } finally {
    database.close()
  }
}
