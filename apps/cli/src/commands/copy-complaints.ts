import type { CopyFailure } from '@quittance/event-store/copy'
import { AlteredLog } from '@quittance/event-store/sqlite'
import type { FinishFailure } from '@quittance/host'
import { printable } from '../answer.ts'
import { type Complaint, refused } from '../complaint.ts'

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Why a copy ended early, in words for the operator. */
export const complaintOf = (failure: CopyFailure): Complaint => {
  switch (failure._tag) {
    case 'ForeignTarget': {
      const { stream, revision } = failure
      const found = printable(`${stream} @ ${revision}`)
      return refused(
        'foreign_target',
        `The target holds what is not in the source: ${found}. Nothing was written behind it.`,
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

/** A file beside the logs, or one that the copy is proven with: in a data directory, or where temporary files lie. */
export const unusableFile = (cause: unknown): Complaint =>
  refused(
    'store_unavailable',
    `A file cannot be used (disk, lock or file: ${messageOf(cause)}). Put that right, and copy again: it goes on.`,
  )

/** Why a proven copy was not put in its place. */
export const unfinished = (failure: FinishFailure): Complaint => {
  switch (failure) {
    case 'TargetInUse':
      return refused('target_in_use', 'Another process has the target open: end it, and copy again.')
    case 'SourceGrew':
      return refused(
        'source_in_use',
        'The source has grown while it was copied: end the service there, and copy again. It copies the rest.',
      )
  }
}
