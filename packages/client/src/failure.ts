import type { ErrorCode } from './wire/index.ts'

/** A response that is not a success. */
export type Refusal = {
  readonly _tag: 'Refused'
  /** 0 for a redirect in a browser, which hides the status. Redirects are never followed. */
  readonly status: number
  /** A known code, or a text of a newer release; null where a proxy answered instead of the service. */
  readonly code: ErrorCode | (string & {}) | null
  readonly message: string
  /** The field of the request at fault. */
  readonly param: string | null
  readonly requestId: string | null
  readonly retryAfterMs: number | null
}

/** Why a call failed. */
export type ClientFailure =
  | Refusal
  /** No response, or only part of one. A change may have been made: repeat it with the same idempotency key. */
  | { readonly _tag: 'Unreachable'; readonly cause: unknown }
  /** As `Unreachable`, by a time-out. */
  | { readonly _tag: 'TimedOut'; readonly afterMs: number }
  /** A success of undeclared shape. The change was made. */
  | { readonly _tag: 'Unreadable'; readonly status: number; readonly reason: string }
  /** As `Unreachable`, by the caller's signal. */
  | { readonly _tag: 'Aborted'; readonly reason: unknown }
  /** Nothing was sent: the text would change the call's path. */
  | { readonly _tag: 'NotAnId'; readonly text: string }
  /** Nothing was sent: JSON has no word for a value of the body, such as NaN. */
  | { readonly _tag: 'NotSendable'; readonly reason: string }

const messageOf = (failure: ClientFailure): string => {
  switch (failure._tag) {
    case 'Refused':
      return `${failure.message} (${failure.code ?? failure.status})`
    case 'Unreachable':
      return 'The service did not answer'
    case 'TimedOut':
      return `The service did not answer within ${Math.round(failure.afterMs)} ms`
    case 'Unreadable':
      return `The service's answer cannot be read: ${failure.reason}`
    case 'Aborted':
      return 'The call was aborted'
    case 'NotAnId':
      return `Not an id: ${JSON.stringify(failure.text)}`
    case 'NotSendable':
      return `The call cannot be sent: ${failure.reason}`
  }
}

/** The rejection of every call. Switch over `failure._tag`, or compare `code`. */
export class QuittanceError extends Error {
  override readonly name = 'QuittanceError'
  readonly failure: ClientFailure
  /** The call's key, given or made; repeating the call with it has a single effect. Null for calls without a key. */
  readonly idempotencyKey: string | null
  constructor(failure: ClientFailure, idempotencyKey: string | null) {
    super(messageOf(failure), failure._tag === 'Unreachable' ? { cause: failure.cause } : undefined)
    this.failure = failure
    this.idempotencyKey = idempotencyKey
  }
  /** The code of a refusal, as in `error.code === 'email_taken'`; null for all other failures. */
  get code(): Refusal['code'] {
    return this.failure._tag === 'Refused' ? this.failure.code : null
  }
}
