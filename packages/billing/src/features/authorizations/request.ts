import {
  type AssetId,
  AuthorizationId,
  type FiatPrice,
  Subscription,
  type SubscriptionEvent,
  type SubscriptionId,
  type SubscriptionRecord,
  type SubscriptionTerms,
  type TransactionHash,
  waitingPriceChange,
} from '@quittance/domain'
import { decodedBy, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'

/**
 * An authorisation that a subscription requests from its customer (`auth_…`): a new mandate, or a further approval for
 * the present one. `terms` are those of the swap or the price change that waits for it, else the current ones; `assetId` is what
 * they are collected in. `until`: the price that is charged before.
 */
export type AuthorizationRequest = {
  readonly id: AuthorizationId
  /** What stands for it on the ledger; its id, if an earlier version requested it. */
  readonly reference: string
  readonly scope: Scope
  readonly subscriptionId: SubscriptionId
  readonly state: SubscriptionRecord
  readonly kind: 'mandate' | 'allowance'
  readonly progress: RequestProgress
} & Offered

type Offered = {
  readonly terms: SubscriptionTerms
  readonly assetId: AssetId
  readonly until: FiatPrice | null
}

/**
 * What a customer agrees to by a request. A new mandate allows a price change that waits, and the present price until then; a
 * further approval changes nothing.
 */
export const offeredBy = (
  state: SubscriptionRecord,
  id: AuthorizationId,
  kind: AuthorizationRequest['kind'],
): Offered => {
  const { details, pendingSwap, terms } = state
  const { assetId } = details
  if (pendingSwap?.authorizationId === id) return { terms: pendingSwap.terms, assetId, until: null }
  const waiting = kind === 'mandate' ? waitingPriceChange(state) : null
  if (waiting === null) return { terms, assetId, until: null }
  return { terms: { ...terms, price: waiting.price }, assetId: waiting.assetId, until: terms.price }
}

/**
 * A request is used once; `hash` is the transaction that brought the mandate. A request that is no longer needed has
 * failed.
 */
export type RequestProgress =
  | { readonly status: 'open' }
  | { readonly status: 'completed'; readonly hash: TransactionHash | null }
  | { readonly status: 'failed'; readonly reason: 'subscription_canceled' | 'not_needed' }

const decode = decodedBy(Subscription)
const notFound: E.Either<CheckoutNotFound, never> = E.left({ _tag: 'CheckoutNotFound' })

/** Reads a request by its id alone, which its customer and its merchant know. */
export const authorizationRequest = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  id: string,
): Promise<E.Either<StoreUnavailable | CheckoutNotFound, AuthorizationRequest>> => {
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const named = await services.readModels.subscriptionNames.withId(id)
  if (named === null || !AuthorizationId.is(id)) return notFound
  const { merchantId, environment, row } = named
  const subscription = await stateOf(services.store)(Subscription, row.subscriptionId)
  if (E.isLeft(subscription)) return subscription
  const { state, events } = subscription.right
  const asked = sinceAsked(events.map(decode), id)
  if (state.status === 'absent' || asked === null) return notFound
  return E.right({
    id,
    reference: asked.reference ?? id,
    scope: { merchantId, environment },
    subscriptionId: row.subscriptionId,
    state,
    kind: asked.kind,
    ...offeredBy(state, id, asked.kind),
    progress: progressOf(state, id, asked.later),
  })
}

type AskedFor = {
  readonly kind: AuthorizationRequest['kind']
  readonly reference: string | undefined
  readonly later: ReadonlyArray<SubscriptionEvent>
}

/** The kind and the reference of the request, and the events that followed it. */
const sinceAsked = (events: ReadonlyArray<SubscriptionEvent>, id: AuthorizationId): AskedFor | null => {
  const at = events.findIndex(({ type, data }) => type === 'AuthorizationRequested' && data.authorizationId === id)
  const asked = events[at]
  if (asked?.type !== 'AuthorizationRequested') return null
  const { kind, reference } = asked.data
  return { kind, reference, later: events.slice(at + 1) }
}

/** What ends a request without a mandate. */
const endings: ReadonlySet<SubscriptionEvent['type']> = new Set([
  'AllowanceSeen',
  'AuthorizationRequested',
  'AuthorizationWithdrawn',
])

const progressOf = (
  { authorization: { requested }, lifecycle }: SubscriptionRecord,
  id: AuthorizationId,
  later: AskedFor['later'],
): RequestProgress => {
  const used = later.find(({ type, data }) => type === 'MandateReplaced' && data.authorizationId === id)
  if (used?.type === 'MandateReplaced') return { status: 'completed', hash: used.data.transactionHash }
  if (lifecycle._tag === 'canceled') return { status: 'failed', reason: 'subscription_canceled' }
  if (requested?.authorizationId === id) return { status: 'open' }
  const ended = later.find(({ type }) => endings.has(type))
  return ended?.type === 'AllowanceSeen'
    ? { status: 'completed', hash: null }
    : { status: 'failed', reason: 'not_needed' }
}
