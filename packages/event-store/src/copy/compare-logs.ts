import type { RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { EventStore } from '../port.ts'
import { type CopyFailure, type CopyProblem, LogUnreadable, type Side, unavailable } from './failures.ts'
import { proof } from './proof.ts'
import { isSameEvent, readable } from './readable.ts'

export type Comparing = {
  readonly source: Pick<EventStore, 'readAll'>
  readonly target: Pick<EventStore, 'readAll'>
  /** The number of copied events; a source in use may hold more by now. */
  readonly events: number
  readonly onProgress: (events: number) => void
}

/** `last` is the last compared event; null without events. */
export type Compared = {
  readonly events: number
  readonly streams: number
  readonly last: RecordedEvent | null
  readonly problems: ReadonlyArray<CopyProblem>
}

const mostProblems = 20
const eventsBetweenProgress = 1_000

/**
 * Reads both logs side by side, proves all chains of both, and compares event by event, which covers the head of every
 * stream. Stops where the logs diverge, since nothing after that is in its place, or at 20 problems.
 */
export const compareLogs =
  ({ source, target, events, onProgress }: Comparing): TaskEither<CopyFailure, Compared> =>
  async () => {
    const problems: Array<CopyProblem> = []
    const chains = { source: proof(), target: proof() }
    let compared = 0
    let last: RecordedEvent | null = null

    const report = (log: Side, { stream, revision }: RecordedEvent, problem: string): void =>
      void problems.push({ log, stream, revision, problem })
    const prove = (log: Side, event: RecordedEvent): void => {
      const proven = chains[log].next(event)
      if (E.isLeft(proven)) report(log, event, proven.left)
    }

    const theirs = readable('target', target.readAll(0n))
    try {
      if (events > 0) {
        for await (const event of readable('source', source.readAll(0n))) {
          prove('source', event)
          const next = await theirs.next()
          if (next.done === true) {
            report('target', event, 'is missing')
            break
          }
          prove('target', next.value)
          if (!isSameEvent(event, next.value)) {
            report('target', next.value, `stands where the source has revision ${event.revision} of ${event.stream}`)
            break
          }
          last = event
          compared += 1
          if (compared % eventsBetweenProgress === 0) onProgress(compared)
          if (compared === events || problems.length >= mostProblems) break
        }
      }
      if (compared < events && problems.length === 0)
        throw new LogUnreadable('source', new Error(`It holds ${compared} events, but ${events} were copied`))
      const beyond = problems.length === 0 ? await theirs.next() : null
      if (beyond !== null && beyond.done !== true) report('target', beyond.value, 'is not in the source')
      return E.right({ events: compared, streams: chains.target.streams(), last, problems })
    } catch (failure) {
      if (!(failure instanceof LogUnreadable)) throw failure
      return E.left(unavailable(failure.log, failure.cause))
    } finally {
      await theirs.return()
    }
  }
