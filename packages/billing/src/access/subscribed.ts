import { type Entitlement, entitlementAt, Subscription, type SubscriptionState, type UnixMs } from '@quittance/domain'
import type { Page, PageRequest, Scope, SubscriptionRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { fold } from '../kernel/fold.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { timestampOrNull } from '../resources/fields.ts'
import { everyRow } from '../services/every-row.ts'
import type { Services } from '../services/services.ts'

/** The access by a subscription. `graceUntil` is set while a debt is open and access continues. */
export type SubscriptionGrant = {
  readonly type: 'subscription'
  readonly subscription_id: string
  readonly status: Entitlement['status']
  readonly grace_until: string | null
}
export type Subscribed = { readonly grant: SubscriptionGrant; readonly until: UnixMs | null }

/** A subscription's entitlement to a product at a moment; null for none. */
export const grantOf = (
  subscriptionId: string,
  state: SubscriptionState,
  productId: string,
  at: UnixMs,
  now: UnixMs,
): Subscribed | null => {
  if (state.status === 'absent' || state.terms.productId !== productId) return null
  const entitled = entitlementAt(state, at, now)
  if (entitled === null) return null
  const { status, until, graceUntil } = entitled
  const grace_until = timestampOrNull(graceUntil)
  return { grant: { type: 'subscription', subscription_id: subscriptionId, status, grace_until }, until }
}

/**
 * The customer's longest entitlement to a product by a subscription; null for none. Past moments are read from the log,
 * by the events until then; future ones by what is known now.
 */
export const subscribed = async (
  services: Pick<Services, 'store' | 'readModels' | 'clock'>,
  scope: Scope,
  customerId: string,
  productId: string,
  moment: UnixMs | undefined,
): Promise<E.Either<StoreUnavailable, Subscribed | null>> => {
  const { readModels, clock, store } = services
  const now = clock.now(scope.environment)
  const at = moment ?? now
  if (at >= now) {
    const rows = await readModels.subscriptions.withKeyUnder(scope, customerId, productId)
    return E.right(longest(rows.map(({ id, row }) => grantOf(id, row, productId, at, now))))
  }
  const grants: Array<Subscribed | null> = []
  for await (const { id } of everyRow(pageOf(services, customerId), scope)) {
    const read = await store.readStream(`${Subscription.category}-${id}`)()
    if (E.isLeft(read)) return read
    const state = fold(
      Subscription,
      read.right.events.filter(({ metadata }) => metadata.occurredAt <= at),
    )
    grants.push(grantOf(id, state, productId, at, at))
  }
  return E.right(longest(grants))
}

const pageOf =
  ({ readModels }: Pick<Services, 'readModels'>, customerId: string) =>
  (request: PageRequest): Promise<Page<SubscriptionRow>> =>
    readModels.subscriptions.page({ ...request, listedUnder: customerId })

const longest = (grants: ReadonlyArray<Subscribed | null>): Subscribed | null =>
  grants.reduce((best, each) => (each !== null && (best === null || lasts(each) > lasts(best)) ? each : best), null)

const lasts = ({ until }: Subscribed): number => until ?? 0
