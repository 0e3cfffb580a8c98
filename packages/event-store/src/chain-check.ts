import { brokenLink, emptyDigest, nextDigest, previousHashOf, type StoredEvent } from './chain.ts'
import { noEvents } from './port.ts'

/** A difference from what was written. `stream` and `revision` are null where no event can be named. */
export type Problem = {
  readonly stream: string | null
  readonly revision: bigint | null
  readonly problem: string
}

/** An event with its position and the running digest up to it. */
export type LoggedEvent = { readonly event: StoredEvent; readonly position: number; readonly digest: string }

/** The end of a stream so far. After a broken event, the check trusts the next event's own `previousHash`. */
type StreamEnd = {
  readonly revision: number
  readonly hash: string
  readonly isSound: boolean
  /** How many gaps of the log came before. */
  readonly gaps: number
}
const beforeFirst: StreamEnd = { revision: -1, hash: noEvents.hash, isSound: true, gaps: 0 }

/** Checks the chains of all streams in log order. Holds one entry per stream. */
export type StreamChains = {
  /** Reports problems of the next event in its stream. */
  readonly check: (event: StoredEvent) => void
  /** The last revision seen of a stream; -1 before its first event. */
  readonly reached: (stream: string) => number
  /** Events of any stream may be missing here, which is reported elsewhere. */
  readonly skip: () => void
  /** The last revision and hash seen of each stream. */
  readonly ends: () => ReadonlyMap<string, { readonly revision: number; readonly hash: string }>
}

/** Reports every event that does not follow its predecessor in its stream, by revision and hash. */
export const streamChains = (report: (problem: Problem) => void): StreamChains => {
  const ends = new Map<string, StreamEnd>()
  let gaps = 0
  const endOf = (stream: string): StreamEnd => ends.get(stream) ?? beforeFirst
  return {
    reached: (stream) => endOf(stream).revision,
    ends: () => ends,
    skip: () => {
      gaps += 1
    },
    check: (event) => {
      const { stream, revision } = event
      const end = endOf(stream)
      const expected = end.revision + 1
      const previousHash = end.isSound && revision === expected ? end.hash : previousHashOf(event)
      const broken = brokenLink(previousHash, event)
      const reportHere = (problem: string): void => report({ stream, revision: BigInt(revision), problem })
      if (broken !== null) reportHere(broken)
      // A broken event with an unexpected revision may bear a false name: it does not move the end.
      if (broken !== null && revision !== expected) return
      if (revision < expected) {
        reportHere('stands behind a later event of its stream')
        return
      }
      if (revision > expected && end.gaps === gaps) {
        const missing = revision - 1 === expected ? 'is missing' : `is missing, and so are all up to ${revision - 1}`
        report({ stream, revision: BigInt(expected), problem: missing })
      }
      ends.set(stream, { revision, hash: event.hash, isSound: broken === null, gaps })
    },
  }
}

export type ChainCheck = {
  /** Checks the next event of the log. */
  readonly check: (logged: LoggedEvent) => void
  /** Skips an unreadable event that has been reported. */
  readonly skip: (position: number) => void
  /** Skips an unreadable part of the log up to a position, whose digest is known from elsewhere. */
  readonly skipPart: (position: number, digest: string) => void
  /** The last revision and hash seen of each stream. */
  readonly ends: StreamChains['ends']
}

/**
 * Checks a log with gapless positions and reports every event that does not follow its predecessor: in its stream, and
 * in the log by position and digest. Continues after each break.
 */
export const chainCheck = (report: (problem: Problem) => void): ChainCheck => {
  const streams = streamChains(report)
  let last = { position: 0, digest: emptyDigest }
  let isAfterGap = false
  return {
    ends: streams.ends,
    skipPart: (position, digest) => {
      streams.skip()
      last = { position, digest }
      isAfterGap = false
    },
    check: ({ event, position, digest }) => {
      const reportHere = (problem: string): void =>
        report({ stream: event.stream, revision: BigInt(event.revision), problem })
      streams.check(event)
      if (position !== last.position + 1)
        reportHere(`follows position ${last.position} in the log, but has ${position}`)
      if (!isAfterGap && nextDigest(last.digest, event.hash) !== digest) {
        reportHere(`the digest of the log is another one from position ${position} on`)
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
