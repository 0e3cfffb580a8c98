import * as t from 'io-ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import {
  Balance,
  DeletedPayoutDestination,
  DeletedPayoutSchedule,
  type HistoryEntry,
  NewlyRegisteredDestination,
  type NewPayout,
  type NewPayoutDestination,
  type NewPayoutSchedule,
  Payout,
  PayoutDestination,
  PayoutSchedule,
  type PayoutStatus,
} from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

type Query = ListQuery & { readonly status?: t.TypeOf<typeof PayoutStatus>; readonly asset_id?: string }

/** Payouts of your money. */
export const payoutsOf = (connection: Connection) => {
  const { ask } = connection
  const answer = data(Payout)
  return {
    /** Available balances by asset. */
    balance: (options?: CallOptions): Promise<ReadonlyArray<Balance>> =>
      ask({ method: 'GET', path: ['balance'], answer: data(t.readonlyArray(Balance)) }, options),
    /** Answers a pending payout. */
    create: (body: RequestBody<typeof NewPayout>, options?: CommandOptions): Promise<Payout> =>
      ask({ method: 'POST', path: ['payouts'], body, answer, isCommand: true }, options),
    retrieve: (id: string, options?: CallOptions): Promise<Payout> =>
      ask({ method: 'GET', path: ['payouts', id], answer }, options),
    list: ({ status, asset_id, ...query }: Query = {}, options?: CallOptions): Listing<Payout> =>
      listing(connection, ['payouts'], Payout, query, options, { status, asset_id }),
    /** What happened to it and to what belongs to it, oldest first. */
    history: (id: string, query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
      historyAt(connection, ['payouts', id, 'history'], query, options),
    /** Rejects with `payout_not_cancelable` once the payout is on its way to the ledger. */
    cancel: (id: string, options?: CommandOptions): Promise<Payout> =>
      ask({ method: 'POST', path: ['payouts', id, 'cancel'], answer, isCommand: true }, options),
    destinations: destinationsOf(connection),
    schedules: schedulesOf(connection),
  }
}

/** Payout destinations. Registering, verifying and removing take a secret key. */
const destinationsOf = (connection: Connection) => {
  const { ask } = connection
  return {
    /** Usable after 24 hours, or once its owner has signed the `challenge`. */
    register: (
      body: RequestBody<typeof NewPayoutDestination>,
      options?: CommandOptions,
    ): Promise<t.TypeOf<typeof NewlyRegisteredDestination>> => {
      const answer = data(NewlyRegisteredDestination)
      return ask({ method: 'POST', path: ['payout_destinations'], body, answer, isCommand: true }, options)
    },
    /** `transaction` is the signed challenge. */
    verify: (id: string, transaction: string, options?: CommandOptions): Promise<PayoutDestination> => {
      const path = ['payout_destinations', id, 'verify']
      const asked = { method: 'POST', path, body: { transaction }, answer: data(PayoutDestination) } as const
      return ask({ ...asked, isCommand: true }, options)
    },
    retrieve: (id: string, options?: CallOptions): Promise<PayoutDestination> =>
      ask({ method: 'GET', path: ['payout_destinations', id], answer: data(PayoutDestination) }, options),
    /** What happened to it and to what belongs to it, oldest first. */
    history: (id: string, query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
      historyAt(connection, ['payout_destinations', id, 'history'], query, options),
    list: (query: ListQuery = {}, options?: CallOptions): Listing<PayoutDestination> =>
      listing(connection, ['payout_destinations'], PayoutDestination, query, options),
    remove: (id: string, options?: CommandOptions): Promise<t.TypeOf<typeof DeletedPayoutDestination>> => {
      const path = ['payout_destinations', id]
      return ask({ method: 'DELETE', path, answer: data(DeletedPayoutDestination), isCommand: true }, options)
    },
  }
}

/** Automatic payouts: at most one schedule per asset. */
const schedulesOf = ({ ask }: Connection) => ({
  set: (body: RequestBody<typeof NewPayoutSchedule>, options?: CommandOptions): Promise<PayoutSchedule> =>
    ask({ method: 'PUT', path: ['payout_schedules'], body, answer: data(PayoutSchedule), isCommand: true }, options),
  list: (options?: CallOptions): Promise<ReadonlyArray<PayoutSchedule>> =>
    ask({ method: 'GET', path: ['payout_schedules'], answer: data(t.readonlyArray(PayoutSchedule)) }, options),
  remove: (assetId: string, options?: CommandOptions): Promise<t.TypeOf<typeof DeletedPayoutSchedule>> => {
    const path = ['payout_schedules', assetId]
    return ask({ method: 'DELETE', path, answer: data(DeletedPayoutSchedule), isCommand: true }, options)
  },
})
