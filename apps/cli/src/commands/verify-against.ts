import { existsSync, readFileSync } from 'node:fs'
import { type CheckpointDifference, compareLog, readCheckpoints } from '@quittance/billing'
import { isStoreFailure, type Problem } from '@quittance/event-store/sqlite'
import { parseVerifierKey, type VerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { ParsedLine } from '../command.ts'
import { type CommandError, messageOf, refused, usageError } from '../command-error.ts'
import type { EventLog } from '../installation.ts'
import { counted } from '../printing.ts'
import { withStoredLeaves } from './stored-leaves.ts'

/** How many checkpoints a log was compared with, and what differs. */
export type Against = { readonly checkpoints: number; readonly problems: ReadonlyArray<Problem> }

const about = (problem: string): Problem => ({ stream: null, revision: null, problem })

const none: Against = { checkpoints: 0, problems: [] }

const keyIn = (line: ParsedLine): E.Either<CommandError, ReadonlyArray<VerifierKey>> => {
  const text = line.option('key')
  if (text === null) return E.right([])
  const key = parseVerifierKey(text)
  return E.isLeft(key)
    ? E.left(usageError('--key takes a verifier key, such as shop.example/1f…+1b2c3d4e+AQ….'))
    : E.right([key.right])
}

/** What differs, for people. */
export const problemOf = (difference: CheckpointDifference): Problem => {
  const { size } = difference
  switch (difference._tag) {
    case 'EndMissing':
      return about(
        `its end is missing: a checkpoint of ${counted(Number(size), 'event')} was signed, and the log has ${difference.events}: the end was cut off, or this is an older copy`,
      )
    case 'HistoryRewritten': {
      const { agreed, first } = difference
      const where = agreed === 0n ? '' : `; the first ${agreed} are`
      if (first === null)
        return about(`its history was rewritten: the first ${size} events are not those that were signed${where}`)
      return {
        stream: first.stream,
        revision: BigInt(first.revision),
        problem: `this ${first.what} is not the one that was signed in the checkpoint of ${counted(Number(size), 'event')}`,
      }
    }
  }
}

/** The file that a log is compared with, if there is one: the given one, or the one of the data directory. */
const fileFor = (line: ParsedLine, { checkpoints }: EventLog): E.Either<CommandError, string | null> => {
  const named = line.option('against')
  if (named === null) return E.right(existsSync(checkpoints) ? checkpoints : null)
  return existsSync(named) ? E.right(named) : E.left(refused('file_not_found', `There is no file ${named}.`))
}

/**
 * Compares a log with checkpoints that were signed of it: those in a given file, or those that the data directory keeps.
 * Errors: `file_not_found`; `no_checkpoint` for a given file without any.
 */
export const againstCheckpoints = async (line: ParsedLine, log: EventLog): Promise<E.Either<CommandError, Against>> => {
  const keys = keyIn(line)
  if (E.isLeft(keys)) return keys
  const file = fileFor(line, log)
  if (E.isLeft(file)) return file
  if (file.right === null) return E.right(none)
  const checkpoints = readCheckpoints(readFileSync(file.right, 'utf8'), keys.right)
  if (checkpoints === null)
    return line.option('against') === null
      ? E.right(none)
      : E.left(refused('no_checkpoint', `${file.right} holds no checkpoint of a log.`))
  const unsigned = checkpoints
    .filter(({ isSigned }) => isSigned === false)
    .map(({ size }) => about(`the checkpoint of ${counted(Number(size), 'event')} is not signed by the key of --key`))
  // What nobody is known to have signed says nothing about the log.
  const signed = checkpoints.filter(({ isSigned }) => isSigned !== false)
  try {
    const differences = await withStoredLeaves(log, ({ read, tiles }) => compareLog(read, signed, tiles))
    return E.right({ checkpoints: signed.length, problems: [...unsigned, ...differences.map(problemOf)] })
  } catch (cause) {
    if (!isStoreFailure(cause)) throw cause
    return E.right({
      checkpoints: 0,
      problems: [...unsigned, about(`it cannot be compared with its checkpoints (${messageOf(cause)})`)],
    })
  }
}
