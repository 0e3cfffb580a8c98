import { Merchant, Webhook } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { actorReads } from '../../features/merchants/actor-reads.ts'
import { rememberedStates } from '../../kernel/remembered.ts'
import { type Reads, readsNothing } from '../../resources/scopes.ts'
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
export const endpointViews = ({ store, left }: Pick<Services, 'store' | 'left'>): EndpointViews => {
  const kept = new Map<string, { readonly endpoint: Endpoint | null; readonly at: number }>()
  const merchantOf = rememberedStates(store, Merchant)
  /** The rights of actors, which never change. */
  const known = new Map<string, Reads>()
  const read: FindEndpoint = (webhookId) => async () => {
    const slice = await store.readStream(`${Webhook.category}-${webhookId}`)()
    if (E.isLeft(slice)) return slice
    const { events } = slice.right
    const [first] = events
    const actors = new Set(events.map(({ metadata }) => metadata.actor))
    if (first !== undefined && ![...actors].every((actor) => known.has(actor))) {
      const merchant = await merchantOf(first.metadata.merchantId)
      if (E.isLeft(merchant)) return merchant
      if (known.size >= mostKept) known.clear()
      for (const actor of actors) known.set(actor, actorReads(merchant.right, actor))
      // The endpoint may have changed meanwhile.
      return read(webhookId)()
    }
    const found = endpointFrom(webhookId, events, (actor) => known.get(actor) ?? readsNothing)
    // What waits for the endpoints of a merchant that has left is sent from where the merchant is now.
    const endpoint = found !== null && (await left.has(found.merchantId)) ? { ...found, isDisabled: true } : found
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
