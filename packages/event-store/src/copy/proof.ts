import { createHash } from 'node:crypto'
import type { RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type StoredEvent, sealEvent } from '../chain.ts'
import { type Head, noEvents } from '../port.ts'

export type Proof = {
  /** The next event in its sealed form, or its problem. */
  readonly next: (event: RecordedEvent) => E.Either<string, StoredEvent>
  readonly streams: () => number
}

/**
 * Seals every event of a log again after its predecessor in the stream: an event is proven if that gives its own hash.
 * Works on any store's events, in log order. Holds one entry per stream.
 */
export const proof = (): Proof => {
  const heads = new Map<string, Head>()
  return {
    streams: () => heads.size,
    next: (event) => {
      const { stream, revision, metadata } = event
      const head = heads.get(stream) ?? noEvents
      // After a broken event, trusts its own hash, so that each break is found where it is.
      heads.set(stream, { revision, hash: metadata.hash })
      if (revision !== head.revision + 1n) return E.left(`follows revision ${head.revision} of its stream`)
      if (metadata.previousHash !== head.hash) return E.left('does not follow the event before it')
      const sealed = sealedAgain(head, event)
      return sealed?.hash === metadata.hash ? E.right(sealed) : E.left('its hash does not match its content')
    },
  }
}

/** Distinguishes sequences of proven events, of which each hash covers an event and everything before it in its stream. */
export const hashSequence = () => {
  const digest = createHash('sha256')
  let events = 0
  return {
    add: ({ metadata }: RecordedEvent): void => {
      digest.update(metadata.hash, 'latin1')
      events += 1
    },
    events: (): number => events,
    hash: (): string => digest.copy().digest('hex'),
  }
}

/** Null where the event holds an impossible value. */
const sealedAgain = (head: Head, { stream, id, type, schemaVersion, data, metadata }: RecordedEvent) => {
  try {
    return sealEvent(head, stream, { id, type, schemaVersion, data, context: metadata })
  } catch (refusal) {
    if (refusal instanceof TypeError || refusal instanceof RangeError) return null
    throw refusal
  }
}
