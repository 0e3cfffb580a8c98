import * as E from 'fp-ts/lib/Either.js'
import type { Clock } from './clock.ts'
import type { ClientFailure } from './failure.ts'

/** `fetch` as in browsers and Node.js. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A request, sent with the same bytes in each attempt. */
export type HttpRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A response; `text` is null where it exceeds the size limit. */
export type HttpResponse = { readonly status: number; readonly headers: Headers; readonly text: string | null }

/** Ten times the size of a hundred records with full metadata. */
export const maxBodyBytes = 32 * 1024 * 1024

/** Sends a request and reads the whole response, within the time-out. */
export const exchange = (
  fetch: Fetch,
  clock: Clock,
  request: HttpRequest,
  timeoutMs: number,
  caller: AbortSignal | null,
): Promise<E.Either<ClientFailure, HttpResponse>> =>
  within(clock, timeoutMs, caller, async (signal) => {
    const response = await send(fetch, request, signal)
    return { status: response.status, headers: response.headers, text: await boundedText(response) }
  })

/** Sends no cookies and follows no redirects, so that nothing reaches another address. */
export const send = (
  fetch: Fetch,
  { method, url, headers, body }: HttpRequest,
  signal: AbortSignal,
): Promise<Response> =>
  fetch(url, { method, headers, body, signal, redirect: 'manual', credentials: 'omit', cache: 'no-store' })

/** Runs the work; aborts its signal when time runs out or the caller aborts. */
export const within = async <A>(
  clock: Clock,
  timeoutMs: number,
  caller: AbortSignal | null,
  work: (signal: AbortSignal) => Promise<A>,
): Promise<E.Either<ClientFailure, A>> => {
  const [late, done] = [new AbortController(), new AbortController()]
  const signal = caller === null ? late.signal : AbortSignal.any([late.signal, caller])
  void clock.wait(timeoutMs, done.signal).then(() => done.signal.aborted || late.abort())
  try {
    return E.right(await work(signal))
  } catch (cause) {
    if (caller?.aborted) return E.left({ _tag: 'Aborted', reason: caller.reason })
    return E.left(late.signal.aborted ? { _tag: 'TimedOut', afterMs: timeoutMs } : { _tag: 'Unreachable', cause })
  } finally {
    done.abort()
  }
}

/** The whole body, or null where it is too large. */
export const boundedText = async (response: Response): Promise<string | null> => {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of chunksOf(response)) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The body's chunks; leaving the loop cancels it. Not every browser can iterate streams. */
export async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array, void> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
  } finally {
    await reader.cancel()
  }
}
