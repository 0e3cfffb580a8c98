import * as E from 'fp-ts/lib/Either.js'
import type { Clock } from './clock.ts'
import type { ClientFailure } from './failure.ts'

/** Limits on time and attempts. */
export type RetryPolicy = {
  readonly clock: Clock
  /** A random number from 0 to 1, for the length of pauses. */
  readonly random: () => number
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly maxRetries: number
}

/**
 * Retries until success, a permanent failure, or the limits; answers the last failure then. `isRepeatable` says whether
 * two attempts have a single effect. `attempt` receives its time-out in milliseconds.
 */
export const withRetries = async <A>(
  { clock, random, timeoutMs, deadlineMs, maxRetries }: RetryPolicy,
  isRepeatable: boolean,
  caller: AbortSignal | null,
  attempt: (timeoutMs: number) => Promise<E.Either<ClientFailure, A>>,
): Promise<E.Either<ClientFailure, A>> => {
  const deadline = clock.now() + deadlineMs
  for (let retries = 0; ; retries++) {
    const outcome = await attempt(Math.max(0, Math.min(timeoutMs, deadline - clock.now())))
    if (E.isRight(outcome) || retries >= maxRetries || !mayRetry(outcome.left, isRepeatable)) return outcome
    const pauseMs = Math.max(backOffMs(retries, random), requestedPauseMs(outcome.left))
    if (clock.now() + pauseMs >= deadline) return outcome
    await clock.wait(pauseMs, caller ?? never)
  }
}

const never = new AbortController().signal

/** A call refused by rate limiting has had no effect, whatever it was. */
const mayRetry = (failure: ClientFailure, isRepeatable: boolean): boolean => {
  switch (failure._tag) {
    case 'Refused':
      if (failure.status === 429) return true
      return isRepeatable && (failure.status >= 500 || failure.code === 'request_in_progress')
    case 'Unreachable':
    case 'TimedOut':
      return isRepeatable
    case 'Unreadable':
    case 'Aborted':
    case 'NotAnId':
    case 'NotSendable':
      return false
  }
}

/** Half a second, doubled each time up to eight, less up to a half at random so that clients spread out. */
const backOffMs = (retries: number, random: () => number): number =>
  Math.min(8_000, 500 * 2 ** retries) * (1 - random() / 2)

const requestedPauseMs = (failure: ClientFailure): number =>
  failure._tag === 'Refused' ? (failure.retryAfterMs ?? 0) : 0
