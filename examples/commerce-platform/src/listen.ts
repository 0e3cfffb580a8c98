import { setTimeout as pause } from 'node:timers/promises'
import type { Billing } from '@quittance/billing'
import type { Orders } from './orders.ts'
import { done } from './results.ts'

type Scope = { readonly merchantId: string; readonly environment: 'testnet' }

/**
 * Handles the public events that were not handled yet, oldest first. None is missed, and none is handled twice, since an
 * order and the place in the events change in one transaction.
 */
export const hearEvents =
  ({ events }: Pick<Billing, 'events'>, scope: Scope, orders: Orders) =>
  async (): Promise<void> => {
    for (let hasMore = true; hasMore; ) {
      const after = orders.lastHeard()
      const page = await done(events.list({ ...scope, after, type: null, resourceId: null, limit: 100 }))
      for (const event of page.resources) {
        orders.hear(event.id, () => {
          switch (event.type) {
            case 'payment.confirmed':
              if (event.data.checkout_id !== null) orders.pay(event.data.checkout_id, event.data.customer_id)
              break
            case 'subscription.created':
              orders.activate(event.data.checkout_id, event.data.customer_id, event.data.id)
              break
            case 'subscription.renewed':
              orders.renew(event.data.id)
              break
            case 'subscription.canceled':
              orders.cancel(event.data.id)
              break
          }
        })
      }
      hasMore = page.hasMore
    }
  }

/** Listens until the signal aborts. What fails is tried again. */
export const listenToEvents = async (hear: () => Promise<void>, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await hear().catch((cause) => console.error('events', cause))
    await pause(250, undefined, { signal }).catch(() => undefined)
  }
}
