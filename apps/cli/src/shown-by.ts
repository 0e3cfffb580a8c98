import { type HistoryKind, kindOfId, type Readable } from '@quittance/billing'
import type { Scope } from '@quittance/projections'
import type * as TE from 'fp-ts/lib/TaskEither.js'

/** Reads what `GET` of a resource answers. */
export type Look = (then: Readable, scope: Scope, id: string) => TE.TaskEither<{ readonly _tag: string }, object>

const access: Look = (then, scope, pair) => {
  const [customerId = '', productId = ''] = pair.split('/')
  return then.access(scope, customerId, productId)
}

/** Null for what has a history and no `GET` of its own. */
const byKind: Readonly<Record<HistoryKind, Look | null>> = {
  approval: ({ approvals }, scope, id) => approvals.retrieve(scope, id),
  checkout: ({ checkouts }, scope, id) => checkouts.retrieve(scope, id),
  credits: access,
  customer: ({ customers }, scope, id) => customers.retrieve(scope, id),
  exception: ({ exceptions }, scope, id) => exceptions.retrieve(scope, id),
  funding: null,
  invoice: null,
  merchant: null,
  payment: ({ payments }, scope, id) => payments.retrieve(scope, id),
  payout: ({ payouts }, scope, id) => payouts.retrieve(scope, id),
  payout_destination: ({ payouts }, scope, id) => payouts.destinations.retrieve(scope, id),
  price_change: ({ priceChanges }, scope, id) => priceChanges.retrieve(scope, id),
  product: ({ products }, scope, id) => products.retrieve(scope, id),
  refund: ({ refunds }, scope, id) => refunds.retrieve(scope, id),
  subscription: ({ subscriptions }, scope, id) => subscriptions.retrieve(scope, id),
  webhook: ({ webhooks }, scope, id) => webhooks.retrieve(scope, id),
}

/** How what an id names is read; null where nothing can be shown. */
export const shownBy = (id: string): Look | null => {
  if (id === 'merchant') return (then, scope) => then.merchantProfiles.show(scope)
  const kind = kindOfId(id)
  return kind === null ? null : byKind[kind]
}
