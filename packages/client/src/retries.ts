import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Clock } from './clock.ts'
import type { ClientFailure } from './failure.ts'

/** How long to try, and how often. */
export type Patience = {
  readonly clock: Clock
  /** From 0 to 1, for the length of pauses. */
  readonly random: () => number
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly maxRetries: number
}

/**
 * Tries until there is a result, or a failure that another attempt would not mend, or time or attempts are used up: the
 * last failure then. `isRepeatable` says whether two attempts have one effect. `attempt` is given its milliseconds.
 */
export const withRetries =
  <A>(
    { clock, random, timeoutMs, deadlineMs, maxRetries }: Patience,
    isRepeatable: boolean,
    caller: AbortSignal | null,
    attempt: (timeoutMs: number) => TaskEither<ClientFailure, A>,
  ): TaskEither<ClientFailure, A> =>
  async () => {
    const deadline = clock.now() + deadlineMs
    for (let retries = 0; ; retries++) {
      const outcome = await attempt(Math.max(0, Math.min(timeoutMs, deadline - clock.now())))()
      if (E.isRight(outcome) || retries >= maxRetries || !mayPass(outcome.left, isRepeatable)) return outcome
      const pauseMs = Math.max(backOffMs(retries, random), askedForMs(outcome.left))
      if (clock.now() + pauseMs >= deadline) return outcome
      await clock.wait(pauseMs, caller ?? never)
    }
  }

const never = new AbortController().signal

/** What was refused for its number has had no effect, whatever it was. */
const mayPass = (failure: ClientFailure, isRepeatable: boolean): boolean => {
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
      return false
  }
}

/** Half a second, doubled each time up to eight, and shortened by up to a half so that clients do not keep step. */
const backOffMs = (retries: number, random: () => number): number =>
  Math.min(8_000, 500 * 2 ** retries) * (1 - random() / 2)

const askedForMs = (failure: ClientFailure): number => (failure._tag === 'Refused' ? (failure.retryAfterMs ?? 0) : 0)
