import type { HttpResponse } from '../client.ts'

export type RequestOptions = { readonly method?: string; readonly body?: object; readonly key?: string }

/** Asks a service that may die: null when it did. A request with a body is a POST by default. */
export type Ask = (path: string, asked?: RequestOptions) => Promise<Pick<HttpResponse, 'status' | 'body'> | null>

export const askAt =
  (url: string, apiKey: string): Ask =>
  async (path, { body, key, method = body === undefined ? 'GET' : 'POST' } = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = {
      'x-api-key': apiKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    }
    try {
      const response = await fetch(`${url}${path}`, { method, headers, ...sent })
      return { status: response.status, body: JSON.parse(await response.text()) }
    } catch (cause) {
      // Fetch throws this when a connection ends.
      if (!(cause instanceof TypeError)) throw cause
      return null
    }
  }
