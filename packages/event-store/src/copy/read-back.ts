import type { RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { EventStore } from '../port.ts'
import { type CopyFailure, LogUnreadable, unavailable } from './failures.ts'
import { hashSequence, proof } from './proof.ts'
import { readable } from './readable.ts'

export type ReadingBack = {
  readonly target: Pick<EventStore, 'readAll'>
  /** Yields when the target has grown, and ends once it is complete. */
  readonly growth: AsyncIterable<unknown>
  /** Receives each event of the target that is in its place. */
  readonly visit: (event: RecordedEvent) => void
  readonly onProgress: (events: number) => void
}

/** What a copy holds: proven chains, with the hash of all their hashes in their order; or an event that breaks its chain. */
export type ReadBack =
  | { readonly _tag: 'Proven'; readonly events: number; readonly streams: number; readonly hash: string }
  | { readonly _tag: 'Broken' }

const eventsBetweenProgress = 1_000

/**
 * Reads a copy back while it is made, each event once, and seals every event again. The last part is read when the copy is
 * complete, and only then must the log be readable. Stops at a broken event.
 */
export const readBack =
  ({ target, growth, visit, onProgress }: ReadingBack): TaskEither<CopyFailure, ReadBack> =>
  async () => {
    const chains = proof()
    const hashes = hashSequence()
    let position = 0n
    const takeRest = async (): Promise<boolean> => {
      for await (const event of readable('target', target.readAll(position))) {
        if (E.isLeft(chains.next(event))) return false
        hashes.add(event)
        visit(event)
        position = event.position
        if (hashes.events() % eventsBetweenProgress === 0) onProgress(hashes.events())
      }
      return true
    }
    /** While the copy grows, what cannot be read now is read later. */
    const takeSome = async (): Promise<boolean> => {
      try {
        return await takeRest()
      } catch (failure) {
        if (!(failure instanceof LogUnreadable)) throw failure
        return true
      }
    }
    try {
      for await (const _ of growth) if (!(await takeSome())) return E.right({ _tag: 'Broken' })
      if (!(await takeRest())) return E.right({ _tag: 'Broken' })
      return E.right({ _tag: 'Proven', events: hashes.events(), streams: chains.streams(), hash: hashes.hash() })
    } catch (failure) {
      if (!(failure instanceof LogUnreadable)) throw failure
      return E.left(unavailable(failure.log, failure.cause))
    }
  }
