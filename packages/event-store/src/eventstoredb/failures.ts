import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  isCommandError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { AlteredLog } from '../altered-log.ts'
import { DeadlinePassed } from './deadline.ts'

/** The server ended a subscription without an error. */
export class SubscriptionEnded extends Error {
  override readonly name = 'SubscriptionEnded'
  constructor() {
    super('The event store ended a subscription')
  }
}

/** The meaning of an error for an append. */
export type Verdict =
  /** Another write has that revision. */
  | 'conflict'
  /** It never reached a server that could write: it may be resent. */
  | 'notSent'
  /** The server refused it permanently: nothing was written. */
  | 'refused'
  /** It may have been written. */
  | 'unknown'

/** Messages of the transport and the client for calls without a connection. */
const neverSent =
  /No connection established|Channel closed before call started|Name resolution failed|Failed to discover/

const isNeverSent = (error: unknown): boolean => error instanceof Error && neverSent.test(error.message)

/**
 * `isBatch`: the error may concern another append or server, since the client fails all pending batch appends with it.
 */
export const verdictOn = (error: unknown, isBatch: boolean): Verdict => {
  if (error instanceof WrongExpectedVersionError) return 'conflict'
  if (error instanceof StreamDeletedError || error instanceof MaxAppendSizeExceededError) return 'refused'
  if (isBatch) return 'unknown'
  if (error instanceof NotLeaderError || isNeverSent(error)) return 'notSent'
  return error instanceof AccessDeniedError ? 'refused' : 'unknown'
}

/** The transport's message for a call whose HTTP/2 stream or whole session ended with an error of the protocol. */
const brokenSession = /Received RST_STREAM with code|Session closed with error code/

const isBrokenSession = (error: unknown): boolean => error instanceof UnknownError && brokenSession.test(error.message)

/** Whether to retry the read on another connection. */
export const isPassing = (error: unknown): boolean =>
  error instanceof UnavailableError ||
  error instanceof CancelledError ||
  error instanceof NotLeaderError ||
  error instanceof DeadlineExceededError ||
  error instanceof SubscriptionEnded ||
  isBrokenSession(error) ||
  isNeverSent(error)

/** Whether the store failed, rather than our own code. */
export const isStoreFailure = (error: unknown): boolean =>
  (error instanceof Error && isCommandError(error)) ||
  error instanceof DeadlinePassed ||
  error instanceof SubscriptionEnded ||
  error instanceof AlteredLog ||
  isNeverSent(error)
