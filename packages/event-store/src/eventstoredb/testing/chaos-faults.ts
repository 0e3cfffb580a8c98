import type { RecordedEvent } from '@quittance/domain'
import { sealEvent } from '../../chain.ts'
import { type Head, noEvents } from '../../port.ts'
import { isWanted } from '../read.ts'
import type { ChaosOutcome } from './chaos.ts'

/** How often each guarantee of an event store was broken. */
export type ChaosFaults = {
  /** Acknowledged events missing or different at their position. */
  readonly lost: number
  /** Events with a repeated id. */
  readonly twice: number
  /** Events that no append acknowledged. */
  readonly unanswered: number
  /** Events at or before their predecessor's position. */
  readonly disordered: number
  /** Events that do not follow their predecessor in their stream. */
  readonly unchained: number
  /** Streams whose head is not their last event. */
  readonly wrongHeads: number
  /** Subscribers that did not receive each of their events once and in order. */
  readonly misledFollowers: number
  /** Unknown outcomes that resending did not resolve. */
  readonly unresolved: number
}

/** An event's position and content: its hash covers all but the position. */
const nameOf = ({ position, metadata }: Pick<RecordedEvent, 'position' | 'metadata'>): string =>
  `${position} ${metadata.hash}`

const namesOf = (events: ReadonlyArray<RecordedEvent>): string => events.map(nameOf).join()

const countOf = <A>(values: Iterable<A>, holds: (value: A) => boolean): number => [...values].filter(holds).length

/** Each stream's end in the log, and the number of broken links. */
const chainsIn = (log: ReadonlyArray<RecordedEvent>) => {
  const ends = new Map<string, Head>()
  let unchained = 0
  for (const event of log) {
    const { stream, metadata } = event
    const end = ends.get(stream) ?? noEvents
    const { revision, hash } = sealEvent(end, stream, { ...event, context: metadata })
    if (BigInt(revision) !== event.revision || hash !== metadata.hash) unchained += 1
    ends.set(stream, { revision: event.revision, hash: metadata.hash })
  }
  return { ends, unchained }
}

/** Compares a log with the acknowledgements of its writers and the events of its subscribers. */
export const faultsOf = ({ answered, log, heads, followers, metrics }: ChaosOutcome): ChaosFaults => {
  const stored = new Set(log.map(nameOf))
  const acknowledged = answered.flatMap(({ events }) => events.map(nameOf))
  const tolds = new Set(acknowledged)
  const { ends, unchained } = chainsIn(log)
  return {
    lost: countOf(acknowledged, (name) => !stored.has(name)),
    twice: log.length - new Set(log.map(({ id }) => id)).size,
    unanswered: countOf(stored, (name) => !tolds.has(name)),
    disordered: countOf(log.entries(), ([index, { position }]) => position <= (log[index - 1]?.position ?? 0n)),
    unchained,
    wrongHeads: countOf(heads, ([stream, { revision, hash }]) => {
      const end = ends.get(stream) ?? noEvents
      return revision !== end.revision || hash !== end.hash
    }),
    misledFollowers: countOf(
      followers,
      ({ seen, filter }) =>
        namesOf(seen) !== namesOf(log.filter((event) => isWanted(event, filter?.streamPrefixes ?? null))),
    ),
    unresolved: metrics.unknownOutcomes - metrics.unknownResolvedAsWritten - metrics.unknownResolvedAsRefused,
  }
}

export const noFaults: ChaosFaults = {
  lost: 0,
  twice: 0,
  unanswered: 0,
  disordered: 0,
  unchained: 0,
  wrongHeads: 0,
  misledFollowers: 0,
  unresolved: 0,
}
