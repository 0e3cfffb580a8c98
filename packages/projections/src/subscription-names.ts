import { AccountId, type RecordedEvent, Subscription, SubscriptionId, UnixMs, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/**
 * What a ledger or a payer calls a subscription by: a mandate's id, `auth_…` or `inv_…`, the row's own id. `payer` is the
 * account that a mandate collects from. Whether it still counts is the subscription's to say.
 */
export const SubscriptionNameRow = t.strict({
  subscriptionId: SubscriptionId,
  kind: t.keyof({ mandate: null, authorization: null, invoice: null }),
  payer: t.union([t.null, AccountId]),
  since: UnixMs,
})
export type SubscriptionNameRow = t.TypeOf<typeof SubscriptionNameRow>

const decode = decodedBy(Subscription)

type Name = Pick<SubscriptionNameRow, 'kind' | 'payer'> & { readonly id: string }

const nameIn = (recorded: RecordedEvent): Name | null => {
  const { type, data } = decode(recorded)
  const named = (id: string, kind: Name['kind'], payer: Name['payer'] = null): Name => ({ id, kind, payer })
  if (type === 'SubscriptionStarted') {
    const { mandateId, customer } = data.details.mandate
    return named(mandateId, 'mandate', customer)
  }
  if (type === 'MandateReplaced') return named(data.mandate.mandateId, 'mandate', data.mandate.customer)
  if (type === 'AuthorizationRequested') return named(data.authorizationId, 'authorization')
  return type === 'BecameOverdue' ? named(data.invoice.invoiceId, 'invoice') : null
}

const fold = (row: O.Option<SubscriptionNameRow>, recorded: RecordedEvent): O.Option<SubscriptionNameRow> => {
  const name = nameIn(recorded)
  if (O.isSome(row) || name === null) return row
  const { kind, payer } = name
  const subscriptionId = SubscriptionId.decode(recorded.stream.slice(`${Subscription.category}-`.length))
  if (E.isLeft(subscriptionId)) return O.none
  return O.some({ subscriptionId: subscriptionId.right, kind, payer, since: unixMs(recorded.metadata.occurredAt) })
}

/** Found by the account that pays: all mandates of it. */
export const subscriptionNames: ReadModel<SubscriptionNameRow> = {
  name: 'subscription_names',
  version: 2,
  category: Subscription.category,
  row: SubscriptionNameRow,
  rowOf: (recorded) => nameIn(recorded)?.id ?? null,
  fold,
  columns: ({ payer }) => ({ lookupKey: payer }),
}
