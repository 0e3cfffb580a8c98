import type { RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type StoredEvent, sealEvent } from '../chain.ts'
import { type Head, noEvents } from '../port.ts'

export type Proof = {
  /** The next event of the log in the form in which it was sealed, or what is wrong with it. */
  readonly next: (event: RecordedEvent) => E.Either<string, StoredEvent>
  readonly streams: () => number
}

/**
 * Walks a log in its order, whichever store it is read from, and seals every event again behind the one before it in its
 * stream: it is as it was written where that gives the hash that it bears. Holds one entry per stream.
 */
export const proof = (): Proof => {
  const heads = new Map<string, Head>()
  return {
    streams: () => heads.size,
    next: (event) => {
      const { stream, revision, metadata } = event
      const head = heads.get(stream) ?? noEvents
      // Behind a broken event its own word is taken, so that each break is found where it is.
      heads.set(stream, { revision, hash: metadata.hash })
      if (revision !== head.revision + 1n) return E.left(`follows revision ${head.revision} of its stream`)
      if (metadata.previousHash !== head.hash) return E.left('does not follow the event before it')
      const sealed = sealedAgain(head, event)
      return sealed?.hash === metadata.hash ? E.right(sealed) : E.left('its hash does not match its content')
    },
  }
}

/** Null where the event holds what no event can. */
const sealedAgain = (head: Head, { stream, id, type, schemaVersion, data, metadata }: RecordedEvent) => {
  try {
    return sealEvent(head, stream, { id, type, schemaVersion, data, context: metadata })
  } catch (refusal) {
    if (refusal instanceof TypeError || refusal instanceof RangeError) return null
    throw refusal
  }
}
