import { fieldsOf, textIn } from './fields.ts'
import { words } from './script-words.ts'
import { refusalText } from './words.ts'

/** A refusal by the service or the sandbox's network. The message is for the payer; `code` is the service's. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: string | null
  constructor(message: string, code: string | null = null) {
    super(message)
    this.code = code
  }
}

/** No conclusive answer came; a retry may succeed. The message is for the payer. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

export type Api = {
  readonly get: (path: string) => Promise<unknown>
  readonly post: (path: string, body: Readonly<Record<string, string | boolean>>) => Promise<unknown>
}

const ANSWER_WITHIN_MS = 20_000

/**
 * Calls the payer routes of one checkout; `path` comes after `/pay/{id}`. Answers the `data` of the response. Rejects
 * with `Refused` or `Unanswered`: a script without libraries can end a chain of steps only with exceptions, which are
 * caught where a step starts. `heardAt` receives the server's time of each response, in milliseconds since 1970.
 */
export const createApi = (checkoutId: string, fetch: typeof globalThis.fetch, heardAt: (ms: number) => void): Api => {
  const request = async (path: string, init: RequestInit): Promise<unknown> => {
    const answer = await ask(fetch, `/pay/${encodeURIComponent(checkoutId)}${path}`, init)
    const date = answer.headers.get('date')
    if (date !== null) heardAt(Date.parse(date))
    const fields = fieldsOf(await jsonOf(answer))
    if (answer.ok) return fields.data ?? null
    const [code, sentence] = [textIn(fields, 'code'), textIn(fields, 'error')]
    const said = sentence === null ? words.status(answer.status) : refusalText(words, code, sentence)
    throw answer.status >= 500 ? new Unanswered(said) : new Refused(said, code)
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

/** A request with a limit of 20 seconds. Rejects with `Unanswered` without a response. */
export const ask = async (fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, { ...init, cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  } catch {
    throw new Unanswered(words.noAnswer)
  }
}

/** The body as JSON; null for other content, such as the error page of a proxy. */
export const jsonOf = async (answer: Response): Promise<unknown> => {
  try {
    return await answer.json()
  } catch {
    return null
  }
}
