import {
  AuthorizationId,
  Subscription,
  type SubscriptionEvent,
  type SubscriptionId,
  type SubscriptionRecord,
  type SubscriptionTerms,
  type TransactionHash,
} from '@quittance/domain'
import { decodedBy, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import type { CheckoutNotFound } from '../checkouts/options.ts'
import { subscriptionNow } from '../invoices/subscription-now.ts'

/**
 * What a customer is asked for (`auth_…`), as their subscription has it: a new mandate, or a further approval for the one
 * that stands. `terms` are what it is for: those that a swap waits with, if it waits for this.
 */
export type Asked = {
  readonly id: AuthorizationId
  readonly scope: Scope
  readonly subscriptionId: SubscriptionId
  readonly state: SubscriptionRecord
  readonly kind: 'mandate' | 'allowance'
  readonly terms: SubscriptionTerms
  readonly standing: AskedStanding
}

/** It is used once; `hash` is the transaction that brought the mandate. What nobody needs any more has failed. */
export type AskedStanding =
  | { readonly status: 'open' }
  | { readonly status: 'completed'; readonly hash: TransactionHash | null }
  | { readonly status: 'failed'; readonly reason: 'subscription_canceled' | 'not_needed' }

const decode = decodedBy(Subscription)
const notFound: CheckoutNotFound = { _tag: 'CheckoutNotFound' }

/** Whoever asks: the id is public, as a checkout's is. */
export const askedFor =
  (services: Services) =>
  (id: string): TE.TaskEither<StoreUnavailable | CheckoutNotFound, Asked> =>
    pipe(
      services.caughtUp.withLog,
      TE.chainEitherKW(() => E.fromNullable(notFound)(services.readModels.subscriptionNames.withId(id))),
      TE.bindTo('named'),
      TE.bindW('now', ({ named }) => subscriptionNow(services)(named.row.subscriptionId)),
      TE.chainEitherKW(({ named: { merchantId, environment, row }, now: { state, events } }) => {
        const asked = AuthorizationId.is(id) ? sinceAsked(events.map(decode), id) : null
        if (state.status === 'absent' || asked === null || !AuthorizationId.is(id)) return E.left(notFound)
        const { pendingSwap } = state
        return E.right({
          id,
          scope: { merchantId, environment },
          subscriptionId: row.subscriptionId,
          state,
          kind: asked.kind,
          terms: pendingSwap?.authorizationId === id ? pendingSwap.terms : state.terms,
          standing: standingOf(state, id, asked.later),
        })
      }),
    )

type Since = { readonly kind: Asked['kind']; readonly later: ReadonlyArray<SubscriptionEvent> }

/** What has happened since it was asked for. */
const sinceAsked = (events: ReadonlyArray<SubscriptionEvent>, id: AuthorizationId): Since | null => {
  const at = events.findIndex(({ type, data }) => type === 'AuthorizationRequested' && data.authorizationId === id)
  const asked = events[at]
  return asked?.type === 'AuthorizationRequested' ? { kind: asked.data.kind, later: events.slice(at + 1) } : null
}

const standingOf = (
  { authorization: { requested }, lifecycle }: SubscriptionRecord,
  id: AuthorizationId,
  later: Since['later'],
): AskedStanding => {
  const used = later.find(({ type, data }) => type === 'MandateReplaced' && data.authorizationId === id)
  if (used?.type === 'MandateReplaced') return { status: 'completed', hash: used.data.transactionHash }
  if (lifecycle._tag === 'canceled') return { status: 'failed', reason: 'subscription_canceled' }
  if (requested?.authorizationId === id) return { status: 'open' }
  const ended = later.find(({ type }) => type === 'AllowanceSeen' || type === 'AuthorizationRequested')
  return ended?.type === 'AllowanceSeen'
    ? { status: 'completed', hash: null }
    : { status: 'failed', reason: 'not_needed' }
}
