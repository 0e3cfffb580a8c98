import type { NewEvent, RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { AlteredLog } from '../altered-log.ts'
import { type Appended, type AppendFailure, type Head, noEvents } from '../port.ts'
import { type Deadline, deadlineIn } from './deadline.ts'
import type { Delivery, Judged, SealedAppend } from './delivery.ts'
import { sealEvents } from './encoding.ts'
import { isStoreFailure } from './failures.ts'
import type { KnownHeads } from './known-heads.ts'
import type { EventStoreDbMetrics } from './metrics.ts'
import type { Reader } from './read.ts'
import { unknowns } from './unknowns.ts'

type Outcome = E.Either<AppendFailure, Appended>

export type Dependencies = {
  readonly deliver: (append: SealedAppend, deadline: Deadline) => Promise<Delivery>
  readonly reader: Reader
  readonly known: KnownHeads
  readonly metrics: EventStoreDbMetrics
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly deadlineMs: number
}

const conflict = ({ head }: SealedAppend, actual: bigint): Outcome =>
  E.left({ _tag: 'WrongExpectedRevision', expected: head.revision, actual })

/** The head never belonged to this stream: the log or the caller was changed. A person has to look. */
const altered = ({ stream, head }: SealedAppend): Outcome => {
  const cause = new AlteredLog(`Event ${head.revision} of ${stream} has another hash than the head of the append`)
  return E.left({ _tag: 'StoreUnavailable', cause })
}

const unavailable = (cause: unknown): Outcome => E.left({ _tag: 'StoreUnavailable', cause })
const unknown = (cause: unknown): Outcome => E.left({ _tag: 'OutcomeUnknown', cause })

const headOf = ({ revision, metadata }: RecordedEvent): Head => ({ revision, hash: metadata.hash })

const appended = (events: ReadonlyArray<RecordedEvent>, last: RecordedEvent): Outcome =>
  E.right({ head: headOf(last), position: last.position, events })

/** The truth table of appends (see `docs/event-store.md`), on a server that compares ids and revisions, not hashes. */
export const appender = ({ deliver, reader, known, metrics, clock, deadlineMs }: Dependencies) => {
  const open = unknowns(metrics)

  /** The stored events after the append's head, if they repeat the append by event ids. */
  const repeated = async (append: SealedAppend): Promise<Outcome | null> => {
    const { stream, head, events } = append
    if (events.length === 0) return null
    const stored = await reader.some(stream, head.revision + 1n, events.length)
    const [first, last] = [stored[0], stored.at(-1)]
    if (first === undefined || last === undefined || stored.length < events.length) return null
    if (stored.some(({ id }, index) => id !== events[index]?.id)) return null
    return first.metadata.previousHash === head.hash ? appended(stored, last) : altered(append)
  }

  /** Judges an append without events, or one at a head other than the stream's, by the stored events. */
  const judgeUnsent = async (append: SealedAppend): Promise<Outcome> => {
    const { stream, head } = append
    const last = await reader.last(stream)
    const current = last === null ? noEvents : headOf(last)
    if (head.revision > current.revision) return conflict(append, current.revision)
    if (head.revision < current.revision) return (await repeated(append)) ?? conflict(append, current.revision)
    if (head.hash !== current.hash) return altered(append)
    return E.right({ head: current, position: last?.position ?? 0n, events: [] })
  }

  /** Whether the head was once this stream's; null where this process must ask the server. */
  const isKnownGenuine = (stream: string, { revision, hash }: Head): boolean | null => {
    if (revision === noEvents.revision) return hash === noEvents.hash
    const remembered = known.hashAt(stream, revision)
    return remembered === null ? null : remembered === hash
  }

  /** Asks the server, which compares no hashes itself. */
  const isGenuine = async (stream: string, { revision, hash }: Head): Promise<boolean> => {
    const [event] = await reader.some(stream, revision, 1)
    // Without such an event, the server refuses the revision.
    return event === undefined || event.metadata.hash === hash
  }

  /**
   * The server keeps only these bytes under their ids, so what was written equals what was sent. Null for several
   * events: the server gives one position at most, so theirs must be read.
   */
  const writtenAlone = ({ events }: SealedAppend, delivery: Judged): Outcome | null => {
    const [only] = events
    if (only === undefined || events.length > 1) return null
    if (delivery._tag !== 'written' || delivery.position === null) return null
    const event = { ...only.recorded, position: delivery.position, recordedAt: clock() }
    return appended([event], event)
  }

  const written = async ({ stream, head, events }: SealedAppend): Promise<Outcome> => {
    const stored = await reader.some(stream, head.revision + 1n, events.length)
    const last = stored.at(-1)
    const isAsSent = events.every(({ recorded }, index) => stored[index]?.metadata.hash === recorded.metadata.hash)
    if (last === undefined || !isAsSent) throw new AlteredLog(`What was appended to ${stream} is not what stands there`)
    return appended(stored, last)
  }

  const settle = async (append: SealedAppend, delivery: Judged): Promise<Outcome> => {
    if (delivery._tag === 'written') return written(append)
    const repeat = append.head.revision < delivery.actual ? await repeated(append) : null
    return repeat ?? conflict(append, delivery.actual)
  }

  const account = (append: SealedAppend, outcome: Outcome): Outcome => {
    if (E.isRight(outcome)) {
      metrics.appends += 1
      known.remember(append.stream, outcome.right.head)
      open.resolve(append, true)
      return outcome
    }
    const { left } = outcome
    if (left._tag === 'WrongExpectedRevision') {
      open.resolve(append, false)
      return outcome
    }
    // This attempt wrote nothing, which says nothing about an earlier one.
    if (left._tag !== 'OutcomeUnknown' && !open.has(append)) return outcome
    open.remember(append)
    return unknown(left.cause)
  }

  const attempt = async (append: SealedAppend): Promise<Outcome> => {
    const { stream, head, events } = append
    const deadline = deadlineIn(deadlineMs)
    let isSent = false
    try {
      const isSound = isKnownGenuine(stream, head) ?? (await deadline.keep(() => isGenuine(stream, head)))
      if (!isSound || events.length === 0) return await deadline.keep(() => judgeUnsent(append))
      isSent = true
      const delivery = await deliver(append, deadline)
      if (delivery._tag === 'refused') return unavailable(delivery.cause)
      if (delivery._tag === 'unknown') return unknown(delivery.cause)
      return writtenAlone(append, delivery) ?? (await deadline.keep(() => settle(append, delivery)))
    } catch (cause) {
      if (!isStoreFailure(cause)) throw cause
      // Nothing was sent, or its outcome could not be read.
      return isSent ? unknown(cause) : unavailable(cause)
    }
  }

  return async (stream: string, head: Head, events: ReadonlyArray<NewEvent>): Promise<Outcome> => {
    const append = { stream, head, events: sealEvents(stream, head, events) }
    return account(append, await attempt(append))
  }
}
