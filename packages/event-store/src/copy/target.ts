import type { RecordedEvent } from '@quittance/domain'
import type { Either } from 'fp-ts/lib/Either.js'
import type { StoredEvent } from '../chain.ts'
import type { EventStore } from '../port.ts'
import type { CopyFailure } from './failures.ts'

/** A proven event of the source, with the texts that its hash covers. */
export type ProvenEvent = { readonly recorded: RecordedEvent; readonly stored: StoredEvent }

/** The target log of a copy. */
export type CopyTarget = Pick<EventStore, 'readAll'> & {
  /**
   * Writes events in order after the first `held` ones, which are all that the target holds. Whenever it fails or is
   * killed, it has written a prefix of them.
   */
  readonly write: (events: ReadonlyArray<ProvenEvent>, held: number) => Promise<Either<CopyFailure, void>>
}
