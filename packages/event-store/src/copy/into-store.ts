import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { AlteredLog } from '../altered-log.ts'
import type { Appended, AppendFailure, EventStore, Head } from '../port.ts'
import { type CopyFailure, unavailable } from './failures.ts'
import { runsOf } from './runs.ts'
import type { CopyTarget, ProvenEvent } from './target.ts'

/** The pauses before an append is sent again. */
export const retriesMs: ReadonlyArray<number> = [50, 100, 250, 500, 1_000, 2_000, 4_000]

const isPassing = (failure: AppendFailure): boolean => {
  switch (failure._tag) {
    case 'OutcomeUnknown':
      return true
    case 'StoreUnavailable':
      return !(failure.cause instanceof AlteredLog)
    case 'WrongExpectedRevision':
    case 'AppendRefused':
      return false
  }
}

/**
 * Any event store as the target of a copy. Sends one append at a time: of two, the later might succeed where the
 * earlier fails, which would lose the order for good. Resends appends of unknown outcome unchanged.
 */
export const intoStore = (store: EventStore): CopyTarget => {
  const append = async (
    stream: string,
    head: Head,
    run: ReadonlyArray<ProvenEvent>,
  ): Promise<E.Either<AppendFailure, Appended>> => {
    const events = run.map(({ recorded: { id, type, schemaVersion, data, metadata } }) => ({
      id,
      type,
      schemaVersion,
      data,
      context: metadata,
    }))
    const attempt = store.append(stream, head, events)
    let outcome = await attempt()
    for (const waitMs of retriesMs) {
      if (E.isRight(outcome) || !isPassing(outcome.left)) return outcome
      await pause(waitMs)
      outcome = await attempt()
    }
    return outcome
  }

  const writeRun = async (run: ReadonlyArray<ProvenEvent>): Promise<E.Either<CopyFailure, void>> => {
    const [first, last] = [run[0]?.recorded, run.at(-1)?.recorded]
    if (first === undefined || last === undefined) return E.right(undefined)
    const { stream, revision, metadata } = first
    const outcome = await append(stream, { revision: revision - 1n, hash: metadata.previousHash }, run)
    if (E.isRight(outcome)) {
      const isSame = outcome.right.head.hash === last.metadata.hash
      return isSame ? E.right(undefined) : E.left({ _tag: 'ForeignTarget', stream, revision: last.revision })
    }
    if (outcome.left._tag === 'WrongExpectedRevision') return E.left({ _tag: 'ForeignTarget', stream, revision })
    return E.left(unavailable('target', outcome.left.cause))
  }

  return {
    readAll: store.readAll,
    write: async (events) => {
      for (const run of runsOf(events)) {
        const written = await writeRun(run)
        if (E.isLeft(written)) return written
      }
      return E.right(undefined)
    },
  }
}
