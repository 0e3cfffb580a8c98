import type { RecordedEvent } from '@quittance/domain'
import type { EventStore, SqlDatabase } from '@quittance/event-store'
import { logReader } from '@quittance/event-store/sqlite'
import { readable } from '../feed/failures.ts'
import { categoryCounter } from './count-events.ts'

/** How far something is in the log. */
export type Reached = {
  readonly position: bigint
  /** The events up to there: those of the read model, and all. */
  readonly events: number
  readonly passed: number
  /** The last of all; null where the place is named by its position alone. */
  readonly last: RecordedEvent | null
}

/** The next events of a read model, and the position that they reach. */
type Batch = Omit<Reached, 'events'> & { readonly events: ReadonlyArray<RecordedEvent> }

/** The log as one rebuild reads it, once. Events within reach are taken without waiting, so inside a transaction. */
export type LogFeed = {
  /** Brings a batch within reach, or the rest of the log; `nothing` where all of it was within reach already. */
  readonly look: () => Promise<'batch' | 'rest' | 'nothing'>
  /** The last position within reach. */
  readonly reach: () => bigint
  /** Takes the next events, up to a position within reach; a batch at most. */
  readonly take: (after: bigint, end: bigint) => Batch
  /** What progress counts: how much is done, and how much there is up to a position within reach. */
  readonly done: (reached: Reached) => number
  readonly all: (end: bigint) => number
}

/** Of the log in the file of the read models: all of it is within reach. Batches hold so many positions, at most 1,000. */
export const fileFeed = (database: SqlDatabase, category: string | null, batchSize: number): LogFeed => {
  const log = logReader(database)
  const ofModel = category === null ? log : logReader(database, { streamPrefixes: [`${category}-`] })
  const count = categoryCounter(database, category)
  return {
    look: () => Promise.resolve('nothing'),
    reach: () => BigInt(log.end()),
    take: (after, end) => {
      const from = Number(after)
      const { events, reached } = ofModel.batch(from, Math.min(from + batchSize, Number(end)))
      return { events, position: BigInt(reached), passed: reached - from, last: null }
    },
    done: ({ events }) => events,
    all: (end) => count(Number(end)),
  }
}

/**
 * Of a log that is elsewhere: what was read and not taken yet is held in memory. `known` is how many events it holds as
 * far as anybody here has seen. Errors: `look` throws `LogUnreadable`.
 */
export const remoteFeed = (log: EventStore, category: string | null, batchSize: number, known: number): LogFeed => {
  let held: ReadonlyArray<RecordedEvent> = []
  let reach = 0n
  let read = 0
  let reading: AsyncIterator<RecordedEvent> | null = null

  const readSome = async () => {
    reading ??= readable(log.readAll(reach))
    const found: Array<RecordedEvent> = []
    while (found.length < batchSize) {
      const next = await reading.next()
      if (next.done === true) {
        reading = null
        break
      }
      found.push(next.value)
    }
    held = [...held, ...found]
    reach = found.at(-1)?.position ?? reach
    read += found.length
    return found.length === batchSize ? 'batch' : found.length > 0 ? 'rest' : 'nothing'
  }
  return {
    // A read ends where the log ended when it began: only a new read can find that there is no more.
    look: async () => {
      const found = await readSome()
      return found === 'nothing' ? readSome() : found
    },
    reach: () => reach,
    take: (_, end) => {
      const beyond = held.findIndex(({ position }) => position > end)
      const taken = held.slice(0, Math.min(batchSize, beyond < 0 ? held.length : beyond))
      held = held.slice(taken.length)
      const last = taken.at(-1) ?? null
      const events = taken.filter(({ stream }) => category === null || stream.startsWith(`${category}-`))
      const position = taken.length === batchSize && last !== null ? last.position : end
      return { events, position, passed: taken.length, last }
    },
    done: ({ passed }) => passed,
    all: () => Math.max(known, read),
  }
}
