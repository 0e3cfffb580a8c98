import {
  AccountId,
  type RecordedEvent,
  Reference,
  Subscription,
  SubscriptionId,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/**
 * What a ledger or a payer calls a subscription by: a mandate's id, `auth_…` or `inv_…`, the row's own id. `payer` is the
 * account that a mandate collects from; `reference` stands for an `auth_…` on the ledger. Whether it still counts is the
 * subscription's to say.
 */
export const SubscriptionNameRow = t.exact(
  t.intersection([
    t.type({
      subscriptionId: SubscriptionId,
      kind: t.keyof({ mandate: null, authorization: null, invoice: null }),
      payer: t.union([t.null, AccountId]),
      since: UnixMs,
    }),
    t.partial({ reference: Reference }),
  ]),
)
export type SubscriptionNameRow = t.TypeOf<typeof SubscriptionNameRow>

const decode = decodedBy(Subscription)

type Name = Pick<SubscriptionNameRow, 'kind' | 'payer' | 'reference'> & { readonly id: string }

const nameIn = (recorded: RecordedEvent): Name | null => {
  const { type, data } = decode(recorded)
  const named = (id: string, kind: Name['kind'], payer: Name['payer'] = null): Name => ({ id, kind, payer })
  if (type === 'SubscriptionStarted') {
    const { mandateId, customer } = data.details.mandate
    return named(mandateId, 'mandate', customer)
  }
  if (type === 'MandateReplaced') return named(data.mandate.mandateId, 'mandate', data.mandate.customer)
  if (type === 'AuthorizationRequested') {
    const { authorizationId, reference } = data
    return { ...named(authorizationId, 'authorization'), ...(reference === undefined ? {} : { reference }) }
  }
  return type === 'BecameOverdue' ? named(data.invoice.invoiceId, 'invoice') : null
}

const fold = (row: O.Option<SubscriptionNameRow>, recorded: RecordedEvent): O.Option<SubscriptionNameRow> => {
  const name = nameIn(recorded)
  if (O.isSome(row) || name === null) return row
  const { id: _, ...called } = name
  const subscriptionId = SubscriptionId.decode(recorded.stream.slice(`${Subscription.category}-`.length))
  if (E.isLeft(subscriptionId)) return O.none
  return O.some({ subscriptionId: subscriptionId.right, ...called, since: unixMs(recorded.metadata.occurredAt) })
}

/** Found by the account that pays: all mandates of it; a request for an authorization, by its reference. */
export const subscriptionNames: ReadModel<SubscriptionNameRow> = {
  name: 'subscription_names',
  version: 2,
  category: Subscription.category,
  row: SubscriptionNameRow,
  rowOf: (recorded) => nameIn(recorded)?.id ?? null,
  fold,
  columns: ({ payer, reference }) => ({ lookupKey: payer ?? reference ?? null }),
}
