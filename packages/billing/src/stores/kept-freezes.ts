import { dirname, join } from 'node:path'
import { FreezeDecision } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { readListFile, replaceFile } from './list-file.ts'

/** Keeps the freezes in force outside the log, so that an older log that is put back does not forget them. */
export interface KeptFreezes {
  readonly kept: () => ReadonlyArray<FreezeDecision>
  readonly keep: (inForce: ReadonlyArray<FreezeDecision>) => void
}

const Decisions = t.readonlyArray(FreezeDecision)

/** Keeps them in a file beside the mark of the log, which no backup holds. The file may lag: a full disk stops no freeze. */
export const freezesFile = (markFile: string): KeptFreezes => {
  const path = join(dirname(markFile), 'freezes.json')
  const read = () => readListFile(path, Decisions)
  return {
    kept: read,
    keep: (inForce) => {
      if (inForce.length === 0 && read().length === 0) return
      E.tryCatch(() => replaceFile(path, `${JSON.stringify(Decisions.encode(inForce))}\n`), String)
    },
  }
}
