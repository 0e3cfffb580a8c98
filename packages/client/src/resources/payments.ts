import type * as t from 'io-ts'
import { data } from '../answer.ts'
import type { CallOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import { Payment, type PaymentStatus } from '../wire/index.ts'

type Query = ListQuery & {
  readonly status?: t.TypeOf<typeof PaymentStatus>
  readonly customer?: string
  readonly subscription_id?: string
}

export const paymentsOf = (connection: Connection) => ({
  /** A pending payment is answered once the ledger was read, or after two seconds. */
  retrieve: (id: string, options?: CallOptions): Promise<Payment> =>
    connection.ask({ method: 'GET', path: ['payment', id], answer: data(Payment) }, options),
  list: ({ status, customer, subscription_id, ...query }: Query = {}, options?: CallOptions): Listing<Payment> =>
    listing(connection, ['payment'], Payment, query, options, { status, customer, subscription_id }),
})
