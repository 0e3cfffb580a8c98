import { setTimeout as pause } from 'node:timers/promises'
import type { RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { EventStoreDb } from '../eventstoredb/store.ts'
import { type CopyFailure, LogUnreadable, unavailable } from './failures.ts'
import { retriesMs } from './into-store.ts'
import { isSameEvent, readable } from './readable.ts'
import { runsOf } from './runs.ts'
import type { CopyTarget, ProvenEvent } from './target.ts'

type Run = ReadonlyArray<ProvenEvent>

const appendOf = (run: Run) => {
  const [first] = run
  if (first === undefined) throw new Error('A run has an event')
  const { stream, revision, metadata } = first.recorded
  return {
    stream,
    head: { revision: revision - 1n, hash: metadata.previousHash },
    events: run.map(({ stored, recorded: { data } }) => ({ stored, data })),
  }
}

const foreign = ({ stream, revision }: RecordedEvent): CopyFailure => ({ _tag: 'ForeignTarget', stream, revision })
const orderLost = ({ stream, revision }: RecordedEvent): CopyFailure => ({ _tag: 'OrderLost', stream, revision })

/**
 * A server as the target of a copy: several appends are under way at a time, in order. After a failure it reads what the
 * server has, which must be a prefix of what was sent, and goes on behind that.
 */
export const intoServer = (store: Pick<EventStoreDb, 'readAll' | 'appendInOrder'>): CopyTarget => {
  /** The end of the target, as far as this copy knows. */
  let known = 0n

  async function* readAll(after: bigint) {
    for await (const event of store.readAll(after)) {
      known = event.position
      yield event
    }
  }

  /** How many of these events the target holds behind the known end. */
  const arrived = async (events: Run): Promise<E.Either<CopyFailure, number>> => {
    let count = 0
    try {
      for await (const event of readable('target', readAll(known))) {
        const sent = events[count]
        if (sent === undefined || !isSameEvent(event, sent.recorded)) {
          const isLater = events.some(({ recorded }) => isSameEvent(event, recorded))
          return E.left(isLater ? orderLost(event) : foreign(event))
        }
        count += 1
      }
      return E.right(count)
    } catch (failure) {
      if (!(failure instanceof LogUnreadable)) throw failure
      return E.left(unavailable('target', failure.cause))
    }
  }

  /** Writes what it can; answers the events that are not written yet. */
  const attempt = async (
    events: Run,
  ): Promise<E.Either<CopyFailure, { readonly left: Run; readonly cause: unknown }>> => {
    const runs = runsOf(events)
    const { written, position, failure } = await store.appendInOrder(runs.map(appendOf))
    known = position ?? known
    const rest = events.slice(runs.slice(0, written).flat().length)
    if (failure === null) return E.right({ left: rest, cause: null })
    const there = await arrived(rest)
    if (E.isLeft(there)) {
      // Still away: the next attempt looks again.
      return there.left._tag === 'LogUnavailable' ? E.right({ left: rest, cause: there.left.cause }) : there
    }
    const left = rest.slice(there.right)
    const [next] = left
    if (failure._tag === 'conflict' && next !== undefined) return E.left(foreign(next.recorded))
    return E.right({ left, cause: failure._tag === 'unknown' ? failure.cause : null })
  }

  return {
    readAll,
    write: async (events) => {
      let rest = events
      for (let failures = 0; rest.length > 0; ) {
        const outcome = await attempt(rest)
        if (E.isLeft(outcome)) return outcome
        const { left, cause } = outcome.right
        failures = left.length < rest.length ? 0 : failures + 1
        rest = left
        if (rest.length === 0) break
        const waitMs = retriesMs[failures]
        if (waitMs === undefined) return E.left(unavailable('target', cause))
        await pause(waitMs)
      }
      return E.right(undefined)
    },
  }
}
