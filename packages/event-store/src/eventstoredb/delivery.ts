import { type AppendToStreamOptions, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client'
import { atMost } from '../at-most.ts'
import { type Head, noEvents } from '../port.ts'
import type { Connection } from './connection.ts'
import { backoffMs, type Deadline, DeadlinePassed, pause } from './deadline.ts'
import type { SealedEvent } from './encoding.ts'
import { verdictOn } from './failures.ts'
import type { EventStoreDbMetrics } from './metrics.ts'
import { portPosition } from './positions.ts'

/** On a busy machine an attempt may take this long. */
const shortestAttemptMs = 100

/** A sealed append, which may be sent several times. */
export type SealedAppend = {
  readonly stream: string
  readonly head: Head
  readonly events: ReadonlyArray<SealedEvent>
}

/** A server's answer. `position` is the last event's; null where the server gives none, or contradicts itself. */
export type Judged =
  | { readonly _tag: 'written'; readonly position: bigint | null }
  | { readonly _tag: 'conflict'; readonly actual: bigint }

/** The outcome of sending. */
export type Delivery =
  | Judged
  /** Nothing was written. */
  | { readonly _tag: 'refused'; readonly cause: unknown }
  /** It may have been written. */
  | { readonly _tag: 'unknown'; readonly cause: unknown }

const actualRevision = (error: unknown): bigint =>
  error instanceof WrongExpectedVersionError && typeof error.actualVersion === 'bigint' ? error.actualVersion : -1n

// When more batch messages wait for the network than its stream buffers (16), the client lists them, and a lost
// connection fails that list by an unhandled rejection that would end the process.
const batchesAtOnce = 12

/**
 * Sends an append until the server takes it, refuses it or may have taken it, or until the deadline. Resends only what
 * certainly never reached a server that could write. `ready` resolves when it may be sent, or is null: an earlier
 * reading of the log must not find it.
 */
export const deliverer = (
  { client, renew, appendCredentials }: Connection,
  metrics: EventStoreDbMetrics,
  ready: () => Promise<unknown> | null,
): ((append: SealedAppend, deadline: Deadline) => Promise<Delivery>) => {
  const optionsOf = (head: Head, deadline: number): AppendToStreamOptions => {
    const expectedRevision = head.revision === noEvents.revision ? NO_STREAM : head.revision
    return appendCredentials === null
      ? { expectedRevision, deadline }
      : { expectedRevision, deadline, credentials: appendCredentials }
  }

  const isBatch = appendCredentials === null

  const deliver = async ({ stream, head, events }: SealedAppend, deadline: Deadline): Promise<Delivery> => {
    const sent = events.map((event) => event.sent)
    try {
      const waiting = ready()
      if (waiting !== null || deadline.leftMs() <= 0) await deadline.keep(async () => waiting)
    } catch (cause) {
      return { _tag: 'refused', cause }
    }
    for (let attempts = 0; ; attempts += 1) {
      const present = client()
      const givenMs = deadline.leftMs()
      try {
        const answer = await deadline.keep((leftMs) => present.appendToStream(stream, sent, optionsOf(head, leftMs)))
        const isAsExpected = answer.nextExpectedRevision === head.revision + BigInt(events.length)
        return { _tag: 'written', position: isAsExpected ? portPosition(answer.position) : null }
      } catch (cause) {
        if (isBatch && cause instanceof DeadlinePassed) renew(present)
        const verdict = verdictOn(cause, isBatch)
        if (verdict === 'conflict') return { _tag: verdict, actual: actualRevision(cause) }
        if (verdict !== 'notSent') return { _tag: verdict, cause }
        const waitMs = backoffMs(attempts)
        const leftMs = deadline.leftMs()
        // Answers what is known now, which another attempt cut off by the deadline would make unknown.
        if (leftMs - waitMs <= Math.max(shortestAttemptMs, 2 * (givenMs - leftMs))) return { _tag: 'refused', cause }
        metrics.reconnects += 1
        await pause(waitMs)
      }
    }
  }

  if (!isBatch) return deliver
  const inTurn = atMost(batchesAtOnce)
  return (append, deadline) => inTurn(() => deliver(append, deadline))
}
