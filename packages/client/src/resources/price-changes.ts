import type * as t from 'io-ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import {
  type HistoryEntry,
  type NewPriceChange,
  PriceChange,
  type PriceChangeStep,
  PriceChangeSubscription,
} from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

type Query = ListQuery & { readonly product_id?: string }
type EntryQuery = ListQuery & { readonly status?: t.TypeOf<typeof PriceChangeStep> }

/** New prices for the subscribers that a product has. Changing the product itself concerns new sales only. */
export const priceChangesOf = (connection: Connection) => {
  const { ask } = connection
  const answer = data(PriceChange)
  return {
    create: (body: RequestBody<typeof NewPriceChange>, options?: CommandOptions): Promise<PriceChange> =>
      ask({ method: 'POST', path: ['price_changes'], body, answer, isCommand: true }, options),
    retrieve: (id: string, options?: CallOptions): Promise<PriceChange> =>
      ask({ method: 'GET', path: ['price_changes', id], answer }, options),
    list: ({ product_id, ...query }: Query = {}, options?: CallOptions): Listing<PriceChange> =>
      listing(connection, ['price_changes'], PriceChange, query, options, { product_id }),
    /** What happened to it and to what belongs to it, oldest first. */
    history: (id: string, query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
      historyAt(connection, ['price_changes', id, 'history'], query, options),
    /** How far each subscription is. */
    subscriptions: (
      id: string,
      { status, ...query }: EntryQuery = {},
      options?: CallOptions,
    ): Listing<PriceChangeSubscription> =>
      listing(connection, ['price_changes', id, 'subscriptions'], PriceChangeSubscription, query, options, { status }),
    /** Subscriptions that wait for it keep the old price. */
    cancel: (id: string, options?: CommandOptions): Promise<PriceChange> =>
      ask({ method: 'POST', path: ['price_changes', id, 'cancel'], answer, isCommand: true }, options),
  }
}
