import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  isCommandError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { AlteredLog } from '../altered-log.ts'
import { DeadlinePassed } from './deadline.ts'

/** What an error says of an append that met it. */
export type Verdict =
  /** Another write stands at that revision. */
  | 'conflict'
  /** It never reached a server that could write: it may be sent again. */
  | 'notSent'
  /** The server refused it, and will refuse it again: nothing was written. */
  | 'refused'
  /** It may have been written. */
  | 'unknown'

/** Said by the transport of calls for which it never had a connection, and by the client before it has one. */
const neverSent =
  /No connection established|Channel closed before call started|Name resolution failed|Failed to discover/

const isNeverSent = (error: unknown): boolean => error instanceof Error && neverSent.test(error.message)

/** `isBatch`: the error may be that of another append, or of another server, that the client gave to all pending ones. */
export const verdictOn = (error: unknown, isBatch: boolean): Verdict => {
  if (error instanceof WrongExpectedVersionError) return 'conflict'
  if (error instanceof StreamDeletedError || error instanceof MaxAppendSizeExceededError) return 'refused'
  if (isBatch) return 'unknown'
  if (error instanceof NotLeaderError || isNeverSent(error)) return 'notSent'
  return error instanceof AccessDeniedError ? 'refused' : 'unknown'
}

/** Whether a read that met this error is worth another attempt, on another connection. */
export const isPassing = (error: unknown): boolean =>
  error instanceof UnavailableError ||
  error instanceof CancelledError ||
  error instanceof NotLeaderError ||
  error instanceof DeadlineExceededError ||
  isNeverSent(error)

/** Whether the outside world failed, as opposed to our own code. */
export const isStoreFailure = (error: unknown): boolean =>
  (error instanceof Error && isCommandError(error)) ||
  error instanceof DeadlinePassed ||
  error instanceof AlteredLog ||
  isNeverSent(error)
