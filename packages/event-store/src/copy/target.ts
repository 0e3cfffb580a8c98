import type { RecordedEvent } from '@quittance/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { StoredEvent } from '../chain.ts'
import type { EventStore } from '../port.ts'
import type { CopyFailure } from './failures.ts'

/** An event of the source, proven, with the texts that its hash covers. */
export type ProvenEvent = { readonly recorded: RecordedEvent; readonly stored: StoredEvent }

/** A log that another one is copied into. */
export type CopyTarget = Pick<EventStore, 'readAll'> & {
  /**
   * Writes events behind the first `held` ones, which are all that the target holds, in their order: whenever it fails
   * or is killed, what is written is a prefix of them.
   */
  readonly write: (events: ReadonlyArray<ProvenEvent>, held: number) => TaskEither<CopyFailure, void>
}
