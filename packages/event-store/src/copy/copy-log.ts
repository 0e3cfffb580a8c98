import type { RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { EventStore } from '../port.ts'
import { type CopyFailure, LogUnreadable, unavailable } from './failures.ts'
import { hashSequence, proof } from './proof.ts'
import { isSameEvent, readable } from './readable.ts'
import type { CopyTarget, ProvenEvent } from './target.ts'

export type Copying = {
  readonly source: Pick<EventStore, 'readAll'>
  readonly target: CopyTarget
  /** Receives the number of events that the target is known to hold. */
  readonly onProgress: (events: number) => void
}

/**
 * `events` are in both logs; this copy wrote `copied` of them. `hash` is that of all their hashes in their order, and `last`
 * the source's last of them; null without events.
 */
export type Copied = {
  readonly events: number
  readonly copied: number
  readonly hash: string
  readonly last: RecordedEvent | null
}

const eventsPerBatch = 1_000

/**
 * Copies the source's present events in its order. The target tells how far an earlier copy came: it is compared with
 * the source first, so that it is known to be a prefix before anything is written. Every event is proven before it is
 * written. The copy may be killed and restarted at any time.
 * Errors: see `CopyFailure`; the target then holds a prefix of the source, unless it was foreign from the start.
 */
export const copyLog =
  ({ source, target, onProgress }: Copying): TaskEither<CopyFailure, Copied> =>
  async () => {
    const chains = proof()
    const hashes = hashSequence()
    let last: RecordedEvent | null = null
    const theirs = readable('target', target.readAll(0n))
    let isPrefix = true
    let held = 0
    let copied = 0
    let batch: Array<ProvenEvent> = []
    let writing: Promise<E.Either<CopyFailure, void>> = Promise.resolve(E.right(undefined))

    /** The target's event at this position; null past its end. */
    const counterpart = async (): Promise<RecordedEvent | null> => {
      const next = await theirs.next()
      if (next.done !== true) return next.value
      isPrefix = false
      return null
    }
    const write = async (events: ReadonlyArray<ProvenEvent>): Promise<E.Either<CopyFailure, void>> => {
      const written = await target.write(events, held)
      if (E.isLeft(written)) return written
      held += events.length
      copied += events.length
      onProgress(held)
      return written
    }
    /** Writes the batch once the one before it is written. The next one is read and proven meanwhile. */
    const flush = async (): Promise<E.Either<CopyFailure, void>> => {
      const written = await writing
      if (E.isLeft(written)) return written
      writing = write(batch)
      // Thrown where it is awaited; the source may end before.
      writing.catch(() => undefined)
      batch = []
      return written
    }
    const take = async (recorded: RecordedEvent): Promise<E.Either<CopyFailure, void>> => {
      const { stream, revision } = recorded
      const stored = chains.next(recorded)
      if (E.isLeft(stored)) {
        const problem = { log: 'source', stream, revision, problem: stored.left } as const
        return E.left({ _tag: 'AlteredSource', problem })
      }
      hashes.add(recorded)
      last = recorded
      const there = isPrefix ? await counterpart() : null
      if (there === null) {
        batch.push({ recorded, stored: stored.right })
        return batch.length < eventsPerBatch ? E.right(undefined) : flush()
      }
      if (!isSameEvent(recorded, there)) return E.left(foreign(there))
      held += 1
      if (held % eventsPerBatch === 0) onProgress(held)
      return E.right(undefined)
    }

    try {
      for await (const event of readable('source', source.readAll(0n))) {
        const taken = await take(event)
        if (E.isLeft(taken)) return taken
      }
      const more = isPrefix ? await counterpart() : null
      if (more !== null) return E.left(foreign(more))
      if (batch.length > 0) await flush()
      const written = await writing
      return E.isLeft(written) ? written : E.right({ events: held, copied, hash: hashes.hash(), last })
    } catch (failure) {
      if (!(failure instanceof LogUnreadable)) throw failure
      return E.left(unavailable(failure.log, failure.cause))
    } finally {
      await Promise.allSettled([writing])
      await theirs.return()
    }
  }

const foreign = ({ stream, revision }: RecordedEvent): CopyFailure => ({ _tag: 'ForeignTarget', stream, revision })
