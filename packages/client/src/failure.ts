import type { ErrorCode } from './wire/index.ts'

/** What an answer that is not a success says. */
export type Refusal = {
  readonly _tag: 'Refused'
  /** 0 for a redirect in a browser, which does not tell. Redirects are never followed. */
  readonly status: number
  /** A code of this release, or a text of a newer one; null where not the service answered, but a proxy before it. */
  readonly code: ErrorCode | (string & {}) | null
  readonly message: string
  /** The field of the request that it is about. */
  readonly param: string | null
  readonly requestId: string | null
  readonly retryAfterMs: number | null
}

/** Why a call has no result. */
export type ClientFailure =
  | Refusal
  /** No answer came, or not the whole of it. A change may have been made: repeat it with the same idempotency key. */
  | { readonly _tag: 'Unreachable'; readonly cause: unknown }
  /** As `Unreachable`, for want of time. */
  | { readonly _tag: 'TimedOut'; readonly afterMs: number }
  /** A success that is not of the declared shape. The change was made. */
  | { readonly _tag: 'Unreadable'; readonly status: number; readonly reason: string }
  /** The caller's signal: as `Unreachable`, by one's own doing. */
  | { readonly _tag: 'Aborted'; readonly reason: unknown }
  /** Nothing was sent: the text would lead to another address than the one of the call. */
  | { readonly _tag: 'NotAnId'; readonly text: string }

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
  }
}

/** What every call of the client rejects with. Switch over `failure._tag`, or compare `code`. */
export class QuittanceError extends Error {
  override readonly name = 'QuittanceError'
  readonly failure: ClientFailure
  /** The key of the call, given or made; the same call with it has one effect. Null for what takes none. */
  readonly idempotencyKey: string | null
  constructor(failure: ClientFailure, idempotencyKey: string | null) {
    super(messageOf(failure), failure._tag === 'Unreachable' ? { cause: failure.cause } : undefined)
    this.failure = failure
    this.idempotencyKey = idempotencyKey
  }
  /** The code of a refusal, as in `error.code === 'email_taken'`; null for all else. */
  get code(): Refusal['code'] {
    return this.failure._tag === 'Refused' ? this.failure.code : null
  }
}
