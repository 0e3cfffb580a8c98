import { fieldsOf, textIn } from './fields.ts'

/** The service, or the sandbox's network, said no; the message is a sentence for the payer. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** No answer came, or none that says what happened: asking again may succeed. The message is for the payer. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

export type Api = {
  readonly get: (path: string) => Promise<unknown>
  readonly post: (path: string, body: Readonly<Record<string, string>>) => Promise<unknown>
}

const ANSWER_WITHIN_MS = 20_000

/**
 * The payer routes of one checkout; `path` comes after `/pay/{id}`. Answers what the service put in `data`.
 * Rejects with `Refused` or `Unanswered`, since a script without libraries has only exceptions to end a chain of
 * steps with; they are caught where a step is started. `heardAt` gets the server's time of each answer, in
 * milliseconds since 1970.
 */
export const createApi = (checkoutId: string, fetch: typeof globalThis.fetch, heardAt: (ms: number) => void): Api => {
  const request = async (path: string, init: RequestInit): Promise<unknown> => {
    const answer = await ask(fetch, `/pay/${encodeURIComponent(checkoutId)}${path}`, init)
    const date = answer.headers.get('date')
    if (date !== null) heardAt(Date.parse(date))
    const fields = fieldsOf(await jsonOf(answer))
    if (answer.ok) return fields.data ?? null
    const sentence = textIn(fields, 'error') ?? `The service answered with status ${answer.status}`
    throw answer.status >= 500 ? new Unanswered(sentence) : new Refused(sentence)
  }
  return {
    get: (path) => request(path, {}),
    post: (path, body) =>
      request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
}

/** A request that ends within 20 seconds. Rejects with `Unanswered` when nothing came back. */
export const ask = async (fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, { ...init, cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  } catch {
    throw new Unanswered('There was no answer. Please check the connection and try again.')
  }
}

/** The body as JSON; null when it is none, as with the error page of something in between. */
export const jsonOf = async (answer: Response): Promise<unknown> => {
  try {
    return await answer.json()
  } catch {
    return null
  }
}
