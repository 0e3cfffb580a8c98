import type { EventMetadata, NewEvent, RecordedEvent } from '@quittance/domain'
import { type StoredEvent, sealEvent } from '../chain.ts'
import { type Alongside, type Head, noEvents } from '../port.ts'

/** An event without what the store adds on writing it. */
type Unplaced = Omit<RecordedEvent, 'position' | 'recordedAt'>

/** One append as it waits for its commit: sealed behind the caller's head, and as it will be read back. */
export type SealedAppend = {
  readonly stream: string
  readonly head: Head
  readonly events: ReadonlyArray<{ readonly stored: StoredEvent; readonly recorded: Unplaced }>
  readonly alongside: Alongside | undefined
}

const metadataOf = ({ context }: NewEvent, previousHash: string, hash: string): EventMetadata => {
  const { actor, causationId, commandId, correlationId, environment, merchantId, occurredAt } = context
  return {
    actor,
    causationId,
    commandId,
    correlationId,
    environment,
    merchantId,
    occurredAt,
    previousHash,
    hash,
  }
}

/**
 * Hashes the events of an append, outside any transaction: the head that they are chained to is the caller's, and the
 * commit refuses it where it is not the stored one.
 * Errors: throws `RangeError` for a revision below -1, `TypeError` for what has no exact JSON form.
 */
export const sealAppend = (
  stream: string,
  head: Head,
  events: ReadonlyArray<NewEvent>,
  alongside: Alongside | undefined,
): SealedAppend => {
  if (head.revision < noEvents.revision) throw new RangeError(`No stream ends at revision ${head.revision}`)
  let last = head
  const sealed = events.map((event) => {
    const stored = sealEvent(last, stream, event)
    const metadata = metadataOf(event, last.hash, stored.hash)
    const { id, type, schemaVersion, data } = event
    last = { revision: last.revision + 1n, hash: stored.hash }
    return { stored, recorded: { id, stream, revision: last.revision, type, schemaVersion, data, metadata } }
  })
  return { stream, head, events: sealed, alongside }
}
