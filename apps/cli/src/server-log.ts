import type { ReadFailure } from '@quittance/event-store'
import type { EventStoreDb } from '@quittance/event-store/eventstoredb'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Complaint, refused } from './complaint.ts'
import { misconfigured } from './site.ts'

const answerWithinMs = 5_000

/**
 * Opens the log on a server, and closes it after the work.
 * Errors: `invalid_configuration` for a connection string that cannot be used, `store_unavailable` where the log cannot
 * be read.
 */
export const withServerLog =
  <A>(
    connectionString: string,
    work: (log: EventStoreDb) => TE.TaskEither<Complaint | ReadFailure, A>,
  ): TE.TaskEither<Complaint, A> =>
  async () => {
    // Loaded only here: it brings much along that no other command needs.
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
      return await TE.mapLeft(complaintOf)(work(log))()
    } finally {
      await log.close()
    }
  }

const complaintOf = (failure: Complaint | ReadFailure): Complaint =>
  '_tag' in failure
    ? refused('store_unavailable', `The event store cannot be read (${messageOf(failure.cause)}).`)
    : failure

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
