import { brokenLink, emptyDigest, nextDigest, previousHashOf, type StoredEvent } from './chain.ts'
import { noEvents } from './port.ts'

/** Something that is not as it was written. Where no event can be named, `stream` and `revision` are null. */
export type Problem = {
  readonly stream: string | null
  readonly revision: bigint | null
  readonly problem: string
}

/** An event, with what stands beside it in the log: its position and the running digest up to it. */
export type LoggedEvent = { readonly event: StoredEvent; readonly position: number; readonly digest: string }

/** Where a stream is while its events are walked. Behind a broken event its successor's own word is taken. */
type Place = { readonly revision: number; readonly hash: string; readonly isSound: boolean }
const beforeFirst: Place = { revision: -1, hash: noEvents.hash, isSound: true }

/** The chains of all streams, walked side by side in the order of the log. Holds one entry per stream. */
export type StreamChains = {
  /** Reports what is wrong with the next event where it stands in its stream. */
  readonly check: (event: StoredEvent) => void
  /** The last revision that a stream has reached; -1 before its first event. */
  readonly reached: (stream: string) => number
}

/** Reports every event that does not follow the one before it in its stream, by revision and hash. */
export const streamChains = (report: (problem: Problem) => void): StreamChains => {
  const places = new Map<string, Place>()
  const placeOf = (stream: string): Place => places.get(stream) ?? beforeFirst
  return {
    reached: (stream) => placeOf(stream).revision,
    check: (event) => {
      const { stream, revision } = event
      const place = placeOf(stream)
      const expected = place.revision + 1
      const previousHash = place.isSound && revision === expected ? place.hash : previousHashOf(event)
      const broken = brokenLink(previousHash, event)
      const tell = (problem: string): void => report({ stream, revision: BigInt(revision), problem })
      if (broken !== null) tell(broken)
      // A broken event that is not the expected one may bear a false name or revision: it moves nothing.
      if (broken !== null && revision !== expected) return
      if (revision < expected) {
        tell('stands behind a later event of its stream')
        return
      }
      if (revision > expected) {
        const missing = revision - 1 === expected ? 'is missing' : `is missing, and so are all up to ${revision - 1}`
        report({ stream, revision: BigInt(expected), problem: missing })
      }
      places.set(stream, { revision, hash: event.hash, isSound: broken === null })
    },
  }
}

export type ChainCheck = {
  /** Checks the next event of the log. */
  readonly check: (logged: LoggedEvent) => void
  /** Passes over an event that cannot be read and has been reported. */
  readonly skip: (position: number) => void
}

/**
 * Walks a log with gapless positions in its order and reports every event that does not follow the one before it: in its
 * stream, and in the log, by position and digest. Each break is reported where it is and the walk goes on behind it.
 */
export const chainCheck = (report: (problem: Problem) => void): ChainCheck => {
  const streams = streamChains(report)
  let last = { position: 0, digest: emptyDigest }
  let isAfterGap = false
  return {
    check: ({ event, position, digest }) => {
      const tell = (problem: string): void =>
        report({ stream: event.stream, revision: BigInt(event.revision), problem })
      streams.check(event)
      if (position !== last.position + 1) tell(`follows position ${last.position} in the log, but has ${position}`)
      if (!isAfterGap && nextDigest(last.digest, event.hash) !== digest) {
        tell(`the digest of the log is another one from position ${position} on`)
      }
      isAfterGap = false
      last = { position, digest }
    },
    skip: (position) => {
      last = { position, digest: last.digest }
      isAfterGap = true
    },
  }
}
