import type { ReadFailure } from '@quittance/event-store'
import type { EventStoreDb } from '@quittance/event-store/eventstoredb'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandError, messageOf, refused } from './command-error.ts'
import { misconfigured } from './installation.ts'

const answerWithinMs = 5_000

/**
 * Opens the log on a server, and closes it after the work.
 * Errors: `invalid_configuration` for an unusable connection string, `store_unavailable` for an unreadable log.
 */
export const withServerLog = async <A>(
  connectionString: string,
  work: (log: EventStoreDb) => Promise<E.Either<CommandError | ReadFailure, A>>,
): Promise<E.Either<CommandError, A>> => {
  // Loaded only here: no other command needs the client of the server.
  const { eventStoreDb } = await import('@quittance/event-store/eventstoredb')
  const opened = E.tryCatch(
    () => eventStoreDb({ connectionString, clock: Date.now, deadlineMs: answerWithinMs }),
    messageOf,
  )
  if (E.isLeft(opened)) {
    const expected = `a connection string that can be used (${opened.left})`
    return E.left(misconfigured([{ variable: 'QUITTANCE_EVENT_STORE', expected }]))
  }
  const log = opened.right
  try {
    const result = await work(log)
    return E.isLeft(result) ? E.left(errorOf(result.left)) : result
  } finally {
    await log.close()
  }
}

const errorOf = (failure: CommandError | ReadFailure): CommandError =>
  '_tag' in failure
    ? refused('store_unavailable', `The event store cannot be read (${messageOf(failure.cause)}).`)
    : failure
