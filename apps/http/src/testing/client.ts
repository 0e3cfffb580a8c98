import { type Reference, referenceOf } from './reference.ts'

/** An answer: its JSON, parsed, or its text, and what it said beside it. */
export type HttpResponse = {
  readonly status: number
  readonly body: ReturnType<typeof JSON.parse>
  readonly headers: Headers
}

export type Request = {
  readonly method?: string
  /** Sent as it is; an object is sent as JSON. */
  readonly body?: string | object
  readonly headers?: Readonly<Record<string, string>>
}

export type Client = (path: string, request?: Request) => Promise<HttpResponse>

/**
 * Asks a service with a key, or without one; a request with a body is a POST unless it says otherwise. Throws when the
 * answer is not as the service's own reference says.
 */
export const clientOf =
  (baseUrl: string, apiKey: string | null): Client =>
  async (path, { body, method = body === undefined ? 'GET' : 'POST', headers = {} } = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const { status } = response
    const answer = { status, body: isJson && text !== '' ? JSON.parse(text) : text, headers: response.headers }
    const reference = await referenceAt(baseUrl)
    const complaint = reference({
      method,
      path,
      status,
      contentType: response.headers.get('content-type'),
      body: answer.body,
    })
    if (complaint !== null) throw new Error(complaint)
    return answer
  }

const references = new Map<string, Promise<Reference>>()

const referenceAt = (baseUrl: string): Promise<Reference> => {
  const known = references.get(baseUrl) ?? readReference(baseUrl)
  references.set(baseUrl, known)
  return known
}

/** One service after the other may say the same of itself. */
const readBefore = new Map<string, Reference>()

const readReference = async (baseUrl: string): Promise<Reference> => {
  const text = await (await fetch(`${baseUrl}/openapi.json`)).text()
  const reference = readBefore.get(text) ?? referenceOf(JSON.parse(text))
  readBefore.set(text, reference)
  return reference
}

/** The shape of every error, with the code and the field that it names. */
export const problem = (code: string, param?: string) => ({
  error: expect.stringMatching(/./),
  code,
  ...(param === undefined ? {} : { param }),
  request_id: expect.stringMatching(/^req_/),
})
