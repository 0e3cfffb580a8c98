import type * as t from 'io-ts'
import type { CallOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import { data } from '../response.ts'
import { type HistoryEntry, Payment, type PaymentStatus } from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

type Query = ListQuery & {
  readonly status?: t.TypeOf<typeof PaymentStatus>
  readonly customer_id?: string
  /** The same as `customer_id`. */
  readonly customer?: string
  readonly subscription_id?: string
}

export const paymentsOf = (connection: Connection) => ({
  /** For a pending payment, waits until the ledger is read, or two seconds. */
  retrieve: (id: string, options?: CallOptions): Promise<Payment> =>
    connection.ask({ method: 'GET', path: ['payment', id], answer: data(Payment) }, options),
  /** What happened to it and to what belongs to it, oldest first. */
  history: (id: string, query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
    historyAt(connection, ['payment', id, 'history'], query, options),
  list: (
    { status, customer_id, customer, subscription_id, ...query }: Query = {},
    options?: CallOptions,
  ): Listing<Payment> =>
    listing(connection, ['payment'], Payment, query, options, { status, customer_id, customer, subscription_id }),
})
