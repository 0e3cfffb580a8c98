import type { NewEvent, RecordedEvent } from '@quittance/domain'
import { type StoredEvent, sealEvent, sealedMetadata } from './chain.ts'
import { type Alongside, type Head, noEvents } from './port.ts'

/** An event without the fields that writing adds. */
type Unplaced = Omit<RecordedEvent, 'position' | 'recordedAt'>

/** A pending append: sealed after the caller's head, and as it will be read. */
export type SealedAppend = {
  readonly stream: string
  readonly head: Head
  readonly events: ReadonlyArray<{ readonly stored: StoredEvent; readonly recorded: Unplaced }>
  readonly alongside: Alongside | undefined
}

/**
 * Hashes an append's events, outside any transaction: they chain to the caller's head, and the commit refuses a head
 * other than the stored one.
 * Errors: throws `RangeError` for a revision below -1, `TypeError` for values without exact JSON form.
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
    const metadata = sealedMetadata(event, last.hash, stored.hash)
    const { id, type, schemaVersion, data } = event
    last = { revision: last.revision + 1n, hash: stored.hash }
    return { stored, recorded: { id, stream, revision: last.revision, type, schemaVersion, data, metadata } }
  })
  return { stream, head, events: sealed, alongside }
}
