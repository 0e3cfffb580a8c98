import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { Agent, request } from 'undici'
import { parseExactly } from './exact-json.ts'

/** Why a document is unavailable. All are retried; `cause` and `problem` are for the log. */
export type SourceFailure =
  | { readonly _tag: 'Unreachable'; readonly cause: string }
  | { readonly _tag: 'Refused'; readonly status: number }
  | { readonly _tag: 'Unreadable'; readonly problem: string }

/** How long each part of an exchange and all of it may take, and how large a response may be. */
export type FetchLimits = {
  readonly connectMs: number
  readonly headersMs: number
  readonly bodyMs: number
  readonly totalMs: number
  readonly maximumBytes: number
}

export const FETCH_LIMITS: FetchLimits = {
  connectMs: 2_000,
  headersMs: 3_000,
  bodyMs: 3_000,
  totalMs: 5_000,
  maximumBytes: 2 * 1024 * 1024,
}

/** Reads JSON documents over HTTP, every number as its text. `close` ends requests under way. */
export interface DocumentFetcher {
  readonly fetch: (url: string) => TaskEither<SourceFailure, unknown>
  readonly close: () => Promise<void>
}

/**
 * Follows no redirect: a response from elsewhere is not the source's. Accepts no compression, so that sizes bound the
 * traffic.
 */
export const documentFetcher = (limits: FetchLimits = FETCH_LIMITS): DocumentFetcher => {
  const dispatcher = new Agent({
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyMs,
    maxResponseSize: limits.maximumBytes,
  })
  const read = async (url: string): Promise<E.Either<SourceFailure, string>> => {
    const signal = AbortSignal.timeout(limits.totalMs)
    const headers = { accept: 'application/json', 'user-agent': 'quittance' }
    try {
      const { statusCode, body } = await request(url, { dispatcher, signal, headers })
      if (statusCode === 200) return E.right(await body.text())
      await body.dump()
      return E.left({ _tag: 'Refused', status: statusCode })
    } catch (thrown) {
      return E.left({ _tag: 'Unreachable', cause: messageOf(thrown) })
    }
  }
  return {
    fetch: (url) => async () => {
      const text = await read(url)
      return E.isLeft(text) ? text : E.tryCatch(() => parseExactly(text.right), unreadable)
    },
    close: () => dispatcher.destroy(),
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
const unreadable = (cause: unknown): SourceFailure => ({ _tag: 'Unreadable', problem: messageOf(cause) })
