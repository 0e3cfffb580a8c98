import { minuteMs, type UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { PathReporter } from 'io-ts/lib/PathReporter.js'
import type { RateObservation } from '../source.ts'
import type { RateDocument } from './document.ts'
import type { DocumentFetcher, SourceFailure } from './fetch-document.ts'

const FAILURES_TO_REST = 3
const REST_MS = 30_000
/** Clocks differ; a document that is dated further ahead than this is unreadable. */
const AHEAD_MS = 5 * minuteMs

/**
 * Reads a document at most once in its time to live, and once for all concurrent readers. After three failures in a row
 * it rests for half a minute, and then tries once. While the document is unavailable it returns the last observations:
 * the caller judges the age of each. `onFetched` hears of each attempt; null means success.
 */
export const keptDocument = (
  document: RateDocument,
  { fetch }: Pick<DocumentFetcher, 'fetch'>,
  now: () => UnixMs,
  onFetched: (failure: SourceFailure | null) => void,
): Task<ReadonlyArray<RateObservation>> => {
  let last: { readonly observations: ReadonlyArray<RateObservation>; readonly at: UnixMs } | null = null
  let asking: Promise<void> | null = null
  let failures = 0
  let restsUntil = 0

  const ask = async (): Promise<void> => {
    const fetched = await fetch(document.url)()
    const at = now()
    const read = E.isLeft(fetched) ? fetched : observationsIn(document, fetched.right, at)
    onFetched(E.isLeft(read) ? read.left : null)
    if (E.isRight(read)) {
      last = { observations: read.right, at }
      failures = 0
      return
    }
    failures += 1
    if (failures >= FAILURES_TO_REST) restsUntil = at + REST_MS
  }

  return async () => {
    const at = now()
    // Setting the clock back makes nothing fresh.
    const isFresh = last !== null && at >= last.at && at < last.at + document.ttlMs
    if (!isFresh && at >= restsUntil) {
      asking ??= ask().finally(() => {
        asking = null
      })
      await asking
    }
    return last?.observations ?? []
  }
}

const observationsIn = (
  document: RateDocument,
  fetched: unknown,
  at: UnixMs,
): E.Either<SourceFailure, ReadonlyArray<RateObservation>> => {
  const read = document.read(fetched, at)
  if (E.isLeft(read)) return E.left({ _tag: 'Unreadable', problem: PathReporter.report(read).join('; ').slice(0, 300) })
  const isAhead = read.right.some(({ observedAt }) => observedAt > at + AHEAD_MS)
  return isAhead ? E.left({ _tag: 'Unreadable', problem: 'it names a time in the future' }) : read
}
