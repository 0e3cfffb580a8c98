import { Merchant, Webhook } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { actorReads } from '../../features/merchants/actor-reads.ts'
import { rememberedStates } from '../../kernel/remembered.ts'
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

/** Reads endpoints from their streams, and what their makers may read from the merchant's. */
export const endpointViews = ({ store }: Pick<Services, 'store'>): EndpointViews => {
  const kept = new Map<string, { readonly endpoint: Endpoint | null; readonly at: number }>()
  const merchantOf = rememberedStates(store, Merchant)
  const read: FindEndpoint = (webhookId) => async () => {
    const slice = await store.readStream(`${Webhook.category}-${webhookId}`)()
    if (E.isLeft(slice)) return slice
    const [first] = slice.right.events
    if (first === undefined) return E.right(null)
    const merchant = await merchantOf(first.metadata.merchantId)
    if (E.isLeft(merchant)) return merchant
    const endpoint = endpointFrom(webhookId, slice.right.events, (actor) => actorReads(merchant.right, actor))
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
