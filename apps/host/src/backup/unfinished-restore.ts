import { existsSync, readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import type { DataDir } from '../data-dir.ts'
import type { ConfigProblem } from '../settings.ts'

/** The problem with a data directory whose files a restore is replacing, or was replacing when it was killed. */
export const unfinishedRestore = ({ restoring }: DataDir): E.Either<ReadonlyArray<ConfigProblem>, void> => {
  if (!existsSync(restoring)) return E.right(undefined)
  const next = `run quittance restore ${readFileSync(restoring, 'utf8')} again`
  return E.left([
    { variable: 'QUITTANCE_DATA_DIR', expected: `a directory whose restore was not interrupted: ${next}` },
  ])
}
