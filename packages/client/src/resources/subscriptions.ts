import type * as t from 'io-ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import {
  type ChangedSubscription,
  type HistoryEntry,
  listOf,
  Subscription,
  SubscriptionDetail,
  SubscriptionFact,
  type SubscriptionStatus,
} from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

type Query = ListQuery & { readonly status?: t.TypeOf<typeof SubscriptionStatus> }

type Facts = t.TypeOf<typeof facts>
const facts = listOf(SubscriptionFact)

/** Subscriptions, which checkouts create. */
export const subscriptionsOf = (connection: Connection) => {
  const { ask } = connection
  const changed = (id: string, action: string, options?: CommandOptions, body?: unknown): Promise<Subscription> =>
    ask(
      { method: 'POST', path: ['subscriptions', id, action], answer: data(Subscription), isCommand: true, body },
      options,
    )
  return {
    /** With product, asset and last charge. `at` asks for an earlier state. */
    retrieve: (id: string, { at }: { readonly at?: string } = {}, options?: CallOptions): Promise<SubscriptionDetail> =>
      ask({ method: 'GET', path: ['subscriptions', id], query: { at }, answer: data(SubscriptionDetail) }, options),
    /** Of all customers. */
    listAll: ({ status, ...query }: Query = {}, options?: CallOptions): Listing<Subscription> =>
      listing(connection, ['reports', 'subscriptions'], Subscription, query, options, { status }),
    list: (customerId: string, { status, ...query }: Query = {}, options?: CallOptions): Listing<Subscription> =>
      listing(connection, ['subscriptions'], Subscription, query, options, { customer_id: customerId, status }),
    update: (
      id: string,
      body: RequestBody<typeof ChangedSubscription>,
      options?: CommandOptions,
    ): Promise<Subscription> =>
      ask({ method: 'PUT', path: ['subscriptions', id], body, answer: data(Subscription), isCommand: true }, options),
    cancel: (id: string, at: 'period_end' | 'now' = 'period_end', options?: CommandOptions): Promise<Subscription> =>
      changed(id, 'cancel', options, { at }),
    pause: (id: string, options?: CommandOptions): Promise<Subscription> => changed(id, 'pause', options),
    resume: (id: string, options?: CommandOptions): Promise<Subscription> => changed(id, 'resume', options),
    /** Another wallet can then sign at `authorization.update_url`; the present one is charged until it has. */
    changeWallet: (id: string, options?: CommandOptions): Promise<Subscription> =>
      changed(id, 'change_wallet', options),
    /** All events of the subscription, oldest first. */
    history: (id: string, options?: CallOptions): Promise<Facts> =>
      ask({ method: 'GET', path: ['subscriptions', id, 'history'], answer: data(facts) }, options),
    /** What happened to it, its payments, refunds and all else that belongs to it, and why, oldest first. */
    timeline: (id: string, query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
      historyAt(connection, ['subscriptions', id, 'timeline'], query, options),
  }
}
