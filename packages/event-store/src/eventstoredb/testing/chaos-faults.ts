import type { RecordedEvent } from '@quittance/domain'
import { sealEvent } from '../../chain.ts'
import { type Head, noEvents } from '../../port.ts'
import { isWanted } from '../read.ts'
import type { ChaosOutcome } from './chaos.ts'

/** How often each promise of an event store was broken. */
export type ChaosFaults = {
  /** Answered events that are not where, or not what, the answer said. */
  readonly lost: number
  /** Events whose id another one has. */
  readonly twice: number
  /** Events that no append was answered with. */
  readonly unanswered: number
  /** Events whose position does not lie behind that of the event before them. */
  readonly disordered: number
  /** Events whose revision or hash does not follow from the event before them in their stream. */
  readonly unchained: number
  /** Streams whose head is not their last event. */
  readonly wrongHeads: number
  /** Followers who did not see, in the log's order, each event of theirs once. */
  readonly misledFollowers: number
  /** Unknown outcomes that sending the same again did not resolve. */
  readonly unresolved: number
}

/** An event's place and content: its hash covers all but the position. */
const nameOf = ({ position, metadata }: Pick<RecordedEvent, 'position' | 'metadata'>): string =>
  `${position} ${metadata.hash}`

const namesOf = (events: ReadonlyArray<RecordedEvent>): string => events.map(nameOf).join()

const countOf = <A>(values: Iterable<A>, holds: (value: A) => boolean): number => [...values].filter(holds).length

/** Where each stream ends by the log alone, and how many events do not follow what is before them. */
const walk = (log: ReadonlyArray<RecordedEvent>) => {
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

/** Holds what a log became against what its writers were answered and its followers saw. */
export const faultsOf = ({ answered, log, heads, followers, metrics }: ChaosOutcome): ChaosFaults => {
  const stored = new Set(log.map(nameOf))
  const told = answered.flatMap(({ events }) => events.map(nameOf))
  const tolds = new Set(told)
  const { ends, unchained } = walk(log)
  return {
    lost: countOf(told, (name) => !stored.has(name)),
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
      ({ seen, filter }) => namesOf(seen) !== namesOf(log.filter((event) => isWanted(event, filter))),
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
