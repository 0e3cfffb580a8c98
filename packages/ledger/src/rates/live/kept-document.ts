import { minuteMs, type UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { PathReporter } from 'io-ts/lib/PathReporter.js'
import type { RateObservation } from '../source.ts'
import type { RateDocument } from './document.ts'
import type { DocumentFetcher, SourceFailure } from './fetch-document.ts'

const FAILURES_TO_REST = 3
const REST_MS = 30_000
/** Clocks differ; further ahead than this, a document names a time at which it cannot have been made. */
const AHEAD_MS = 5 * minuteMs

type Told = (failure: SourceFailure | null) => void

/**
 * What a document says, asked for at most once in its time to live, and once for all who ask meanwhile. After three
 * failures in a row it is left alone for half a minute, and then asked once to see whether it is back. While it cannot
 * be had, what it said last is given: whoever uses it judges the age of each observation.
 */
export const keptDocument = (
  document: RateDocument,
  { fetch }: Pick<DocumentFetcher, 'fetch'>,
  now: () => UnixMs,
  told: Told,
): Task<ReadonlyArray<RateObservation>> => {
  let last: { readonly observations: ReadonlyArray<RateObservation>; readonly at: UnixMs } | null = null
  let asking: Promise<void> | null = null
  let failures = 0
  let restsUntil = 0

  const ask = async (): Promise<void> => {
    const fetched = await fetch(document.url)()
    const at = now()
    const read = E.isLeft(fetched) ? fetched : observationsIn(document, fetched.right, at)
    told(E.isLeft(read) ? read.left : null)
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
    // A clock that was set back makes nothing fresh.
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
  return isAhead ? E.left({ _tag: 'Unreadable', problem: 'it names a time that is yet to come' }) : read
}
