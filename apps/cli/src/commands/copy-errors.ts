import type { CopyFailure } from '@quittance/event-store/copy'
import { AlteredLog } from '@quittance/event-store/sqlite'
import type { FinishFailure } from '@quittance/host'
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

/** A file in a data directory or among temporary files cannot be used. */
export const unusableFile = (cause: unknown): CommandError =>
  refused(
    'store_unavailable',
    `A file cannot be used (disk, lock or file: ${messageOf(cause)}). Put that right, and copy again: it goes on.`,
  )

/** Why a proven copy was not put in place. */
export const finishError = (failure: FinishFailure): CommandError => {
  switch (failure) {
    case 'TargetInUse':
      return refused('target_in_use', 'Another process has the target open: end it, and copy again.')
    case 'SourceGrew':
      return refused(
        'source_in_use',
        'The source has grown during the copy: end its service, and copy again, which copies the rest.',
      )
  }
}
