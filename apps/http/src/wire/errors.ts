import type { Family } from '@quittance/billing/scopes'
import type { ErrorCode } from '@quittance/client/wire'

/** An error response: `{ error, code, param?, request_id }`. `code` is for programs, `error` for people. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly code: ErrorCode
  readonly param: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** Whose facts the message tells. */
  readonly tells: Family | undefined
  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    more: { readonly param?: string; readonly retryAfterSeconds?: number; readonly tells?: Family } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.param = more.param
    this.retryAfterSeconds = more.retryAfterSeconds
    this.tells = more.tells
  }
}

export const invalid = (param: string, message: string): HttpError =>
  new HttpError(400, 'invalid_request', message, { param })

/** Also for resources of other merchants or environments, so that nobody learns that they exist. */
export const notFound = (what: string, param?: string): HttpError =>
  new HttpError(404, 'not_found', `No such ${what}`, param === undefined ? {} : { param })
