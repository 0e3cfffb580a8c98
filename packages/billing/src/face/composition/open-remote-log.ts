import type { EventStore, ReadFailure, SqlDatabase } from '@quittance/event-store'
import { openDatabase } from '@quittance/event-store/sqlite'
import { createProjector, inlineProjections, type Projector } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'

/** A log on a server, with the file that holds its read models and what is in no log. */
export type RemoteLog = {
  readonly log: EventStore
  readonly projector: Projector
  /** Read models. A power failure may lose its last commits, which the log still holds. */
  readonly rows: SqlDatabase
  /** Claims and cursors, in the same file: each commit is durable. */
  readonly claims: SqlDatabase
  /** Ends the projector, then closes the file. The log stays open. */
  readonly close: () => Promise<void>
}

export type RemoteLogOptions = {
  /** From `eventStoreDb`, or any other store that keeps the rules of the port. */
  readonly log: EventStore
  /** A file, created if missing. It belongs to this log for good. */
  readonly path: string
  /** A platform adds its own to `inlineProjections`, which is the default. */
  readonly projections?: Parameters<typeof createProjector>[2]
}

/**
 * Opens the read models of a log on a server and brings them up to its end, which reads all of it the first time.
 * Errors: `StoreUnavailable` where the log cannot be read. Throws `OtherLog` where the file was written beside another
 * log, `ProjectionDefect`, and the driver's `SqliteError`. Everything is closed then, but for the log.
 */
export const openRemoteLog =
  ({ log, path, projections = inlineProjections }: RemoteLogOptions): TE.TaskEither<ReadFailure, RemoteLog> =>
  async () => {
    const closers: Array<() => unknown> = []
    const close = async (): Promise<void> => {
      for (const each of closers.splice(0).reverse()) await each()
    }
    try {
      const rows = openDatabase(path, { durability: 'relaxedLosesCommitsOnPowerLoss' })
      closers.push(rows.close)
      const claims = openDatabase(path, { durability: 'full' })
      closers.push(claims.close)
      const projector = createProjector(log, rows, projections)
      closers.push(projector.close)
      const begun = await projector.begin()
      if (E.isRight(begun)) return E.right({ log, projector, rows, claims, close })
      await close()
      return begun
    } catch (cause) {
      await close()
      throw cause
    }
  }
