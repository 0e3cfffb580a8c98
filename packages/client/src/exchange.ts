import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Clock } from './clock.ts'
import type { ClientFailure } from './failure.ts'

/** Calls `fetch` as the browser and Node.js have it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A request as it is sent, each time to the byte. */
export type Sending = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** An answer; `text` is null where it was larger than any of the service's. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string | null }

/** A hundred records, each with all the metadata it may have, are a tenth of it. */
export const longestAnswerBytes = 32 * 1024 * 1024

/** Sends a request and reads its answer to the end, both within the time. */
export const exchange = (
  fetch: Fetch,
  clock: Clock,
  sending: Sending,
  timeoutMs: number,
  caller: AbortSignal | null,
): TaskEither<ClientFailure, Answer> =>
  within(clock, timeoutMs, caller, async (signal) => {
    const response = await send(fetch, sending, signal)
    return { status: response.status, headers: response.headers, text: await boundedText(response) }
  })

/** Asks without cookies and without following redirects: what is sent is for this address only. */
export const send = (fetch: Fetch, { method, url, headers, body }: Sending, signal: AbortSignal): Promise<Response> =>
  fetch(url, { method, headers, body, signal, redirect: 'manual', credentials: 'omit', cache: 'no-store' })

/** Does the work, or aborts its signal and says why: the time has run out, or the caller has lost interest. */
export const within =
  <A>(
    clock: Clock,
    timeoutMs: number,
    caller: AbortSignal | null,
    work: (signal: AbortSignal) => Promise<A>,
  ): TaskEither<ClientFailure, A> =>
  async () => {
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
    if (bytes > longestAnswerBytes) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The body as it comes; leaving the loop gives it up. Not every browser iterates streams by itself. */
export async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array, void> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
  } finally {
    await reader.cancel()
  }
}
