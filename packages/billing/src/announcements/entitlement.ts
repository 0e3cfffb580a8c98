import { Credits, CreditTransactionId, noCredits, PaymentId, type RecordedEvent } from '@quittance/domain'
import { type Announcement, creditTransactions, payments, products } from '@quittance/projections'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { AccessResult } from '../access/access.ts'
import { decodeOrThrow } from '../decode.ts'
import { fold } from '../execute.ts'
import {
  type CreditBalanceResource,
  type CreditTransactionResource,
  creditBalanceResource,
  creditTransactionResource,
} from '../resources/credits.ts'
import type { Services } from '../services.ts'
import { fromStream, idIn, lastOf, type Renderer, rowOf, streamAsOf } from './as-of.ts'

type Account = { readonly customer_id: string; readonly product_id: string }
export type AccessChange = AccessResult & Account
export type CreditChange = CreditBalanceResource & Account & { readonly transaction: CreditTransactionResource }

/** The balance right after an entry in the books, and the entry. */
export const renderCredits =
  (services: Services): Renderer<CreditChange> =>
  (announcement) => {
    const of = accountIn(announcement)
    return pipe(
      TE.Do,
      TE.apS('entries', streamAsOf(services)(announcement.stream, announcement)),
      TE.apS('product', streamAsOf(services)(`${products.category}-${of.product_id}`, announcement)),
      TE.map(({ entries, product }) => {
        const state = fold(Credits, entries)
        const balance = state.status === 'absent' ? noCredits : state.balance
        const { details } = rowOf(products, of.product_id, product).row
        return { ...creditBalanceResource(details, balance), ...of, transaction: entryIn(lastOf(entries)) }
      }),
    )
  }

const entryIn = (entry: RecordedEvent): CreditTransactionResource =>
  creditTransactionResource(
    rowOf(creditTransactions, decodeOrThrow(CreditTransactionId, entry.data.transactionId), [entry]),
  )

/** What the access check answers from then on. Where access begins, what is announced is all that entitles. */
export const renderAccess = (services: Services): Renderer<AccessChange> =>
  fromStream(services)((announcement, events) => ({
    ...resultIn(announcement, lastOf(events)),
    ...accountIn(announcement),
  }))

const resultIn = (announcement: Announcement, event: RecordedEvent): AccessResult => {
  if (announcement.type === 'access.revoked') return { has_access: false, grant: null, expires_at: null }
  const isPayment = event.stream.startsWith(`${payments.category}-`)
  const paymentId = decodeOrThrow(PaymentId, isPayment ? idIn(announcement) : event.data.paymentId)
  return { has_access: true, grant: { type: 'one_time', payment_id: paymentId }, expires_at: null }
}

const accountIn = ({ resourceId }: Announcement): Account => {
  const [customerId = '', productId = ''] = resourceId.split('/')
  return { customer_id: customerId, product_id: productId }
}
