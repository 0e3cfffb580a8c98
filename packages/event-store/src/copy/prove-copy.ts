import type { RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { EventStore } from '../port.ts'
import { type Compared, compareLogs } from './compare-logs.ts'
import type { Copied } from './copy-log.ts'
import { type CopyFailure, LogUnreadable, unavailable } from './failures.ts'
import { hashSequence, proof } from './proof.ts'
import { readable } from './readable.ts'

export type Proving = {
  readonly source: Pick<EventStore, 'readAll'>
  readonly target: Pick<EventStore, 'readAll'>
  /** What the copy has read of its source, and proven. */
  readonly copied: Copied
  /** Receives each event of the target that is in its place. */
  readonly visit: (event: RecordedEvent) => void
  readonly onProgress: (events: number) => void
}

const eventsBetweenProgress = 1_000

/**
 * Reads the target back, proves its chains, and proves that it holds the events that were read of the source, all of them,
 * in their order, and no others. The source is read again only where that fails, to name what differs.
 */
export const proveCopy =
  ({ source, target, copied, visit, onProgress }: Proving): TaskEither<CopyFailure, Compared> =>
  async () => {
    const chains = proof()
    const hashes = hashSequence()
    let isSound = true
    try {
      for await (const event of readable('target', target.readAll(0n))) {
        isSound = E.isRight(chains.next(event)) && hashes.events() < copied.events
        if (!isSound) break
        hashes.add(event)
        visit(event)
        if (hashes.events() % eventsBetweenProgress === 0) onProgress(hashes.events())
      }
    } catch (failure) {
      if (!(failure instanceof LogUnreadable)) throw failure
      return E.left(unavailable(failure.log, failure.cause))
    }
    const { events, last, hash } = copied
    if (isSound && hashes.events() === events && hashes.hash() === hash)
      return E.right({ events, streams: chains.streams(), last, problems: [] })
    const compared = await compareLogs({ source, target, events, onProgress })()
    if (E.isRight(compared) && compared.right.problems.length === 0)
      return E.left(unavailable('target', new Error('It was another one when it was read again')))
    return compared
  }
