import type { OpenApi } from '../wire/openapi/document.ts'
import { type Reference, referenceOf } from './reference.ts'

/** A response with its parsed JSON or text. */
export type HttpResponse = {
  readonly status: number
  readonly body: ReturnType<typeof JSON.parse>
  readonly headers: Headers
}

export type Request = {
  readonly method?: string
  /** Texts are sent as they are, objects as JSON. */
  readonly body?: string | object
  readonly headers?: Readonly<Record<string, string>>
}

export type Client = (path: string, request?: Request) => Promise<HttpResponse>

/**
 * Sends requests with or without a key; a request with a body is a POST by default. Throws when a response differs from
 * the service's own reference.
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

/** Services whose references differ in their address alone share the compilation. */
const readBefore = new Map<string, Reference>()

const readReference = async (baseUrl: string): Promise<Reference> => {
  const document: OpenApi = JSON.parse(await (await fetch(`${baseUrl}/openapi.json`)).text())
  const text = JSON.stringify({ ...document, servers: [] })
  const reference = readBefore.get(text) ?? referenceOf(document)
  readBefore.set(text, reference)
  return reference
}

/** An error with its code and field. */
export const problem = (code: string, param?: string) => ({
  error: expect.stringMatching(/./),
  code,
  ...(param === undefined ? {} : { param }),
  request_id: expect.stringMatching(/^req_/),
})
