import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { EventStore } from '../port.ts'
import { type Compared, compareLogs } from './compare-logs.ts'
import type { Copied } from './copy-log.ts'
import { type CopyFailure, unavailable } from './failures.ts'
import type { ReadBack } from './read-back.ts'

export type Proving = {
  readonly source: Pick<EventStore, 'readAll'>
  readonly target: Pick<EventStore, 'readAll'>
  /** What the copy has read of its source, and proven. */
  readonly copied: Copied
  /** What was read back of the target. */
  readonly read: ReadBack
  readonly onProgress: (events: number) => void
}

/** Whether a copy holds the events that were read of the source, all of them, in their order, and no others. */
export const isProven = (
  { events, hash }: Pick<Copied, 'events' | 'hash'>,
  read: ReadBack,
): read is Extract<ReadBack, { readonly _tag: 'Proven' }> =>
  read._tag === 'Proven' && read.events === events && read.hash === hash

/** Proves that a copy is its source. Both logs are read again only where it is not, to name what differs. */
export const proveCopy =
  ({ source, target, copied, read, onProgress }: Proving): TaskEither<CopyFailure, Compared> =>
  async () => {
    const { events, last } = copied
    if (isProven(copied, read)) return E.right({ events, streams: read.streams, last, problems: [] })
    const compared = await compareLogs({ source, target, events, onProgress })()
    if (E.isRight(compared) && compared.right.problems.length === 0)
      return E.left(unavailable('target', new Error('It was another one when it was read again')))
    return compared
  }
