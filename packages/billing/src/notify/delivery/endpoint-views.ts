import { Webhook } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Services } from '../../services/services.ts'
import type { FindEndpoint } from './attempt.ts'
import { type Endpoint, endpointFrom } from './endpoint.ts'

/** How long a change by another process may go unnoticed. */
const freshMs = 100
const mostKept = 10_000

export type EndpointViews = {
  /** Reads the endpoint now. */
  readonly read: FindEndpoint
  /** Answers the endpoint as it was read a moment ago, or reads it. */
  readonly recent: FindEndpoint
}

/** Reads endpoints from their streams. */
export const endpointViews = ({ store }: Pick<Services, 'store'>): EndpointViews => {
  const kept = new Map<string, { readonly endpoint: Endpoint | null; readonly at: number }>()
  const read: FindEndpoint = (webhookId) => async () => {
    const slice = await store.readStream(`${Webhook.category}-${webhookId}`)()
    if (E.isLeft(slice)) return slice
    const endpoint = endpointFrom(webhookId, slice.right.events)
    if (kept.size >= mostKept) kept.clear()
    kept.set(webhookId, { endpoint, at: performance.now() })
    return E.right(endpoint)
  }
  return {
    read,
    recent: (webhookId) => async () => {
      const known = kept.get(webhookId)
      if (known !== undefined && performance.now() - known.at < freshMs) return E.right(known.endpoint)
      return read(webhookId)()
    },
  }
}
