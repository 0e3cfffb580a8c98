import type * as t from 'io-ts'
import type { CallOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import { data } from '../response.ts'
import { Payment, type PaymentStatus } from '../wire/index.ts'

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
  list: (
    { status, customer_id, customer, subscription_id, ...query }: Query = {},
    options?: CallOptions,
  ): Listing<Payment> =>
    listing(connection, ['payment'], Payment, query, options, { status, customer_id, customer, subscription_id }),
})
