import type { CopyFailure } from '@quittance/event-store/copy'
import { AlteredLog } from '@quittance/event-store/sqlite'
import type { FinishFailure, KeyFailure } from '@quittance/host'
import { type CommandError, messageOf, refused } from '../command-error.ts'
import { printable } from '../printing.ts'

/** Why a copy ended early, in words for the operator. */
export const copyError = (failure: CopyFailure): CommandError => {
  switch (failure._tag) {
    case 'ForeignTarget': {
      const found = printable(`${failure.stream} @ ${failure.revision}`)
      return refused(
        'foreign_target',
        `The target holds an event that is not in the source: ${found}. Nothing was written after it.`,
      )
    }
    case 'OrderLost': {
      const early = printable(`${failure.stream} @ ${failure.revision}`)
      return refused(
        'order_lost',
        `The target has written ${early} before an earlier event, which it refused. Copy to an empty target.`,
      )
    }
    case 'TargetChanged':
      return refused('foreign_target', 'Another process has written to the target meanwhile.')
    case 'AlteredSource': {
      const { stream, revision, problem } = failure.problem
      return refused(
        'altered_log',
        printable(`The source is not as it was written: ${stream} @ ${revision}: ${problem}.`),
      )
    }
    case 'LogUnavailable':
      return failure.cause instanceof AlteredLog
        ? refused('altered_log', printable(`The ${failure.log} is not as it was written: ${failure.cause.message}.`))
        : refused(
            'store_unavailable',
            `The ${failure.log} cannot be used (${messageOf(failure.cause)}). Copy again: it goes on.`,
          )
  }
}

/** A file in a data directory or among temporary files, or a database, cannot be used. */
export const unusable = (cause: unknown): CommandError => {
  const what =
    cause instanceof Error && cause.name === 'PostgresError'
      ? 'A database cannot be used ('
      : 'A file cannot be used (disk, lock or file: '
  return refused('store_unavailable', `${what}${messageOf(cause)}). Put that right, and copy again: it goes on.`)
}

/** Why a proven copy was not put in place. */
export const finishError = (failure: FinishFailure | KeyFailure): CommandError => {
  switch (failure) {
    case 'NoMasterKey':
    case 'WrongMasterKey':
    case 'OtherVault':
      return keyError(failure)
    case 'TargetInUse':
      return refused('target_in_use', 'Another process has the target open: end it, and copy again.')
    case 'SourceGrew':
      return refused(
        'source_in_use',
        'The source has grown during the copy: end its service, and copy again, which copies the rest.',
      )
  }
}

/** Why keys cannot be moved between files and a database. */
export const keyError = (failure: KeyFailure): CommandError => {
  switch (failure) {
    case 'NoMasterKey':
      return refused(
        'wrong_master_key',
        'Set QUITTANCE_MASTER_KEY: the keys are only moved if the master key opens them.',
      )
    case 'WrongMasterKey':
      return refused('wrong_master_key', 'The vault of the source does not open under the master key.')
    case 'OtherVault':
      return refused('foreign_target', 'The target has a vault already, which does not open under the master key.')
  }
}
