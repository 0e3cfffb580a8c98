import { type Entitlement, entitlementAt, type SubscriptionState, type UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { timestampOrNull } from '../resources/fields.ts'
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

/** The customer's longest entitlement to a product by a subscription, now or later, by what is known; null for none. */
export const subscribed = async (
  { readModels, clock }: Pick<Services, 'readModels' | 'clock'>,
  scope: Scope,
  customerId: string,
  productId: string,
  moment: UnixMs | undefined,
): Promise<Subscribed | null> => {
  const now = clock.now(scope.environment)
  const rows = await readModels.subscriptions.withKeyUnder(scope, customerId, productId)
  return longest(rows.map(({ id, row }) => grantOf(id, row, productId, moment ?? now, now)))
}

const longest = (grants: ReadonlyArray<Subscribed | null>): Subscribed | null =>
  grants.reduce((best, each) => (each !== null && (best === null || lasts(each) > lasts(best)) ? each : best), null)

const lasts = ({ until }: Subscribed): number => until ?? 0
