import type { SubscriptionTerms } from '@quittance/domain'
import type { Found, SubscriptionRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type SubscriptionFailure, type Subscriptions, subscriptions } from '../features/subscriptions/subscriptions.ts'
import { type SubscriptionResource, subscriptionResource } from '../resources/subscription.ts'
import type { Services } from '../services/services.ts'
import type { Visitor } from '../stores/portal-sessions.ts'
import { customersContext } from './customers-context.ts'
import type { PortalServices } from './services.ts'

type Shown = Pick<
  SubscriptionResource,
  | 'id'
  | 'status'
  | 'current_period_end'
  | 'next_renewal_at'
  | 'cancel_at_period_end'
  | 'canceled_at'
  | 'grace_until'
  | 'invoice_url'
  | 'price_amount_cents'
  | 'pending_price_change'
> & {
  readonly currency_code: string
  readonly authorization: Pick<SubscriptionResource['authorization'], 'status' | 'cap' | 'update_url'>
}

/**
 * A subscription as its customer sees it. `resuming`: it is paused until the requested charge is confirmed; `changing`:
 * a product swap waits for a new mandate; `changingWallet`: another wallet may sign, and nothing else needs a signature;
 * `moving`: the operator wants a new signature, and nothing else does.
 */
export type PortalSubscription = Shown & {
  readonly product: string
  readonly interval: SubscriptionTerms['interval']
  readonly resuming: boolean
  readonly changing: boolean
  readonly changingWallet: boolean
  readonly moving: boolean
}

export const portalSubscription =
  ({ readModels, publicUrl, clock }: Pick<Services, 'readModels' | 'publicUrl' | 'clock'>) =>
  async (found: Found<SubscriptionRow>): Promise<PortalSubscription> => {
    const { terms, lifecycle, pendingSwap, collection, authorization } = found.row
    const shown = subscriptionResource(publicUrl(), clock.now(found.environment))(found)
    const isFine = collection._tag === 'current' && shown.authorization.status === 'active'
    return {
      ...shown,
      product: (await readModels.products.withId(terms.productId))?.row.details.name ?? '',
      interval: terms.interval,
      resuming: lifecycle._tag === 'paused' && lifecycle.resuming !== null,
      changing: pendingSwap !== null,
      changingWallet: isFine && authorization.requested?.why === 'wallet_change',
      moving: isFine && authorization.requested?.why === 'migration',
    }
  }

/** The actions that customers can take. `keep` undoes a scheduled cancellation. */
export type PortalAction = 'cancel' | 'keep' | 'pause' | 'resume' | 'change_wallet'

/** Changes a subscription if it is the visitor's own; otherwise it is not found. */
export const changeSubscription = (services: PortalServices) => {
  const face = subscriptions(services)
  return async (
    { customerId, ...scope }: Visitor,
    id: string,
    action: PortalAction,
  ): Promise<E.Either<SubscriptionFailure, SubscriptionResource>> => {
    const subscription = await face.find(scope, id)()
    if (E.isLeft(subscription)) return subscription
    const { remaining } = services.readModels.customerFamily
    if ((await remaining(subscription.right.customer_id)) !== (await remaining(customerId)))
      return E.left({ _tag: 'SubscriptionNotFound' })
    return done(face, action)(customersContext(services, scope), id)()
  }
}

const done = (face: Subscriptions, action: PortalAction): Subscriptions['pause'] => {
  switch (action) {
    case 'cancel':
      return (context, id) => face.cancel(context, id, 'period_end')
    case 'keep':
      return (context, id) =>
        face.update(context, id, { cancelAtPeriodEnd: false, productId: null, metadata: undefined })
    case 'pause':
      return face.pause
    case 'resume':
      return face.resume
    case 'change_wallet':
      return face.changeWallet
  }
}
