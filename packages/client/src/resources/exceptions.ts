import type * as t from 'io-ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import {
  Exception,
  type ExceptionKind,
  type ExceptionStatus,
  type HistoryEntry,
  type Resolution,
} from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

type Query = ListQuery & {
  readonly status?: t.TypeOf<typeof ExceptionStatus>
  readonly kind?: t.TypeOf<typeof ExceptionKind>
}

/** Incoming payments that fit nothing. */
export const exceptionsOf = (connection: Connection) => ({
  retrieve: (id: string, options?: CallOptions): Promise<Exception> =>
    connection.ask({ method: 'GET', path: ['exceptions', id], answer: data(Exception) }, options),
  /** What happened to it and to what belongs to it, oldest first. */
  history: (id: string, query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
    historyAt(connection, ['exceptions', id, 'history'], query, options),
  list: ({ status, kind, ...query }: Query = {}, options?: CallOptions): Listing<Exception> =>
    listing(connection, ['exceptions'], Exception, query, options, { status, kind }),
  /** Decides an exception. Rejects once it is resolved or its money is being returned. */
  resolve: (id: string, body: RequestBody<typeof Resolution>, options?: CommandOptions): Promise<Exception> =>
    connection.ask(
      { method: 'POST', path: ['exceptions', id, 'resolve'], body, answer: data(Exception), isCommand: true },
      options,
    ),
  /** Possible until `return_sends_at`. Rejects with `return_not_cancelable` once the return is sent. */
  cancelReturn: (id: string, options?: CommandOptions): Promise<Exception> =>
    connection.ask(
      { method: 'POST', path: ['exceptions', id, 'cancel_return'], answer: data(Exception), isCommand: true },
      options,
    ),
})
