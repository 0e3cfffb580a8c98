import { AlteredLog } from '../altered-log.ts'
import { LeftBehind } from '../left-behind.ts'

/** The server has ended a session that was idle in a transaction. */
const idleInTransaction = '25P03'

/** An error of the server or of a connection. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError'
  /** The server's SQLSTATE; null where no server has answered. */
  readonly code: string | null
  /** Whether the session had ended before the server got the statement. */
  readonly isUnsent: boolean
  constructor(cause: unknown, isUnsent = false) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.code = sqlState(cause)
    this.isUnsent = isUnsent || this.code === idleInTransaction
  }
}

/** Five digits or capitals, other than the names that Node gives to errors of sockets (`EPIPE`). */
const sqlState = (error: unknown): string | null => {
  const isServers = typeof error === 'object' && error !== null && 'severity' in error && 'code' in error
  return isServers && typeof error.code === 'string' ? error.code : null
}

// Connections (08), a server that only reads (25006), roll-backs (40), resources (53), locks (55), sessions that are ended
// (25P03, 57), disks (58), and files that do not hold what they should (XX).
const outsideWorld = /^(08|25006|25P03|40|53|55|57|58|XX)/

/** Whether the log is not as this release knows it. */
const isOtherwise = (error: unknown): boolean => error instanceof AlteredLog || error instanceof LeftBehind

/** Whether the store failed, rather than our code: every error of a statement of ours, and a log that is not as we know it. */
export const isStoreFailure = (error: unknown): boolean => isOtherwise(error) || error instanceof PostgresError

/**
 * The same of statements of foreign code, whose own errors, such as a unique index that it meets, are its refusal:
 * server, connection, lock and disk count alone.
 */
export const isOutsideWorld = (error: unknown): boolean =>
  isOtherwise(error) || (error instanceof PostgresError && (error.code === null || outsideWorld.test(error.code)))

/** Whether a statement failed only because one before it in its transaction had. */
export const isOfFailedTransaction = (error: unknown): boolean =>
  error instanceof PostgresError && error.code === '25P02'

/** Whether the same call may succeed later without anybody's help: the server restarts, or a lock is held. */
export const isPassing = (error: unknown): boolean =>
  error instanceof PostgresError && (error.code === null || /^(08|40|53|55P03|57)/.test(error.code))
