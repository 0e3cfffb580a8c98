import type * as t from 'io-ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import {
  Checkout,
  type CheckoutStatus,
  type HistoryEntry,
  type NewDirectCheckout,
  type NewProductCheckout,
} from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

type Query = ListQuery & {
  readonly status?: t.TypeOf<typeof CheckoutStatus>
  readonly customer_id?: string
  /** The same as `customer_id`. */
  readonly customer?: string
}

export const checkoutsOf = (connection: Connection) => {
  const { ask } = connection
  const answer = data(Checkout)
  const create = (type: 'product' | 'direct', body: unknown, options?: CommandOptions): Promise<Checkout> =>
    ask({ method: 'POST', path: ['checkout'], query: { type }, body, answer, isCommand: true }, options)
  return {
    createForProduct: (body: RequestBody<typeof NewProductCheckout>, options?: CommandOptions) =>
      create('product', body, options),
    /** Charges an amount, without a product. */
    createDirect: (body: RequestBody<typeof NewDirectCheckout>, options?: CommandOptions) =>
      create('direct', body, options),
    retrieve: (id: string, options?: CallOptions): Promise<Checkout> =>
      ask({ method: 'GET', path: ['checkout', id], answer }, options),
    /** Ends an open checkout before its deadline. */
    expire: (id: string, options?: CommandOptions): Promise<Checkout> =>
      ask({ method: 'POST', path: ['checkout', id, 'expire'], answer, isCommand: true }, options),
    /** What happened to it and to what belongs to it, oldest first. */
    history: (id: string, query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
      historyAt(connection, ['checkout', id, 'history'], query, options),
    list: ({ status, customer_id, customer, ...query }: Query = {}, options?: CallOptions): Listing<Checkout> =>
      listing(connection, ['checkout'], Checkout, query, options, { status, customer_id, customer }),
  }
}
