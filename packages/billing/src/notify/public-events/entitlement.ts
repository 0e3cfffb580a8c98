import {
  Credits,
  CreditTransactionId,
  noCredits,
  Payment,
  PaymentId,
  type RecordedEvent,
  Subscription,
} from '@quittance/domain'
import { creditTransactions, type PublicEvent, products } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type AccessResult, byPayment, bySubscription } from '../../access/access.ts'
import { grantOf } from '../../access/subscribed.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { fold } from '../../kernel/fold.ts'
import {
  type CreditBalanceResource,
  type CreditTransactionResource,
  creditBalanceResource,
  creditTransactionResource,
} from '../../resources/credits.ts'
import type { Services } from '../../services/services.ts'
import { fromStream, idIn, lastOf, type Renderer, rowOf, streamAsOf } from './as-of.ts'

type Account = { readonly customer_id: string; readonly product_id: string }
export type AccessChange = AccessResult & Account
export type CreditChange = CreditBalanceResource & Account & { readonly transaction: CreditTransactionResource }

/** Renders an entry of prepaid credits, with the balance right after it. */
export const renderCredits =
  (services: Pick<Services, 'store'>): Renderer<CreditChange> =>
  async (publicEvent, entries) => {
    const of = accountIn(publicEvent.resourceId)
    const product = await streamAsOf(services, `${products.category}-${of.product_id}`, publicEvent)
    if (E.isLeft(product)) return product
    const state = fold(Credits, entries)
    const balance = state.status === 'absent' ? noCredits : state.balance
    const { details } = rowOf(products, of.product_id, product.right).row
    const transaction = entryIn(lastOf(entries))
    return E.right({ ...creditBalanceResource(details, balance), ...of, transaction })
  }

const entryIn = (entry: RecordedEvent): CreditTransactionResource =>
  creditTransactionResource(
    rowOf(creditTransactions, decodeOrThrow(CreditTransactionId, entry.data.transactionId), [entry]),
  )

/** Renders the access check's answer after the event. When access begins, only the event's own resource entitles. */
export const renderAccess: Renderer<AccessChange> = fromStream((publicEvent, events) => ({
  ...resultIn(publicEvent, events),
  ...accountIn(publicEvent.resourceId),
}))

const resultIn = (publicEvent: PublicEvent, events: ReadonlyArray<RecordedEvent>): AccessResult => {
  if (publicEvent.type === 'access.revoked') return byPayment(null)
  const { stream, resourceId, occurredAt } = publicEvent
  const id = idIn(publicEvent)
  if (stream.startsWith(`${Subscription.category}-`)) {
    const { product_id } = accountIn(resourceId)
    return bySubscription(grantOf(id, fold(Subscription, events), product_id, occurredAt, occurredAt))
  }
  if (stream.startsWith(`${Payment.category}-`)) return byPayment(decodeOrThrow(PaymentId, id))
  const state = fold(Credits, events)
  return byPayment(state.status === 'absent' ? null : (state.balance.grants[0]?.paymentId ?? null))
}

const accountIn = (resourceId: string): Account => {
  const [customerId = '', productId = ''] = resourceId.split('/')
  return { customer_id: customerId, product_id: productId }
}
