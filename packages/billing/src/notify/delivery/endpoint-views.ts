import { Webhook } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Services } from '../../services/services.ts'
import type { FindEndpoint } from './attempt.ts'
import { type Endpoint, endpointFrom } from './endpoint.ts'

/** How long a change that another process has made may go unnoticed. */
const freshMs = 100
const mostKept = 10_000

export type EndpointViews = {
  /** As it is now. */
  readonly read: FindEndpoint
  /** As it was a moment ago, where it was read then. */
  readonly recent: FindEndpoint
}

/** Endpoints as their streams tell of them. */
export const endpointViews = ({ store }: Services): EndpointViews => {
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
