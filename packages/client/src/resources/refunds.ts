import type * as t from 'io-ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import { type HistoryEntry, type NewRefund, Refund, type RefundStatus } from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

type Query = ListQuery & { readonly status?: t.TypeOf<typeof RefundStatus>; readonly payment_id?: string }

/** Refunds of whole payments. */
export const refundsOf = (connection: Connection) => ({
  /** Answers a pending refund. Rejects with `refund_exists` while another is pending or has succeeded. */
  create: (body: RequestBody<typeof NewRefund>, options?: CommandOptions): Promise<Refund> =>
    connection.ask({ method: 'POST', path: ['refunds'], body, answer: data(Refund), isCommand: true }, options),
  retrieve: (id: string, options?: CallOptions): Promise<Refund> =>
    connection.ask({ method: 'GET', path: ['refunds', id], answer: data(Refund) }, options),
  /** Possible until `sends_at`. Rejects with `refund_not_cancelable` once it is sent. */
  cancel: (id: string, options?: CommandOptions): Promise<Refund> =>
    connection.ask({ method: 'POST', path: ['refunds', id, 'cancel'], answer: data(Refund), isCommand: true }, options),
  /** What happened to it and to what belongs to it, oldest first. */
  history: (id: string, query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
    historyAt(connection, ['refunds', id, 'history'], query, options),
  list: ({ status, payment_id, ...query }: Query = {}, options?: CallOptions): Listing<Refund> =>
    listing(connection, ['refunds'], Refund, query, options, { status, payment_id }),
})
