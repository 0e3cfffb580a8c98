import type * as t from 'io-ts'
import { data } from '../answer.ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { Sent } from '../sent.ts'
import { Exception, type ExceptionKind, type ExceptionStatus, type Resolution } from '../wire/index.ts'

type Query = ListQuery & {
  readonly status?: t.TypeOf<typeof ExceptionStatus>
  readonly kind?: t.TypeOf<typeof ExceptionKind>
}

/** Money that came and does not fit. */
export const exceptionsOf = (connection: Connection) => ({
  retrieve: (id: string, options?: CallOptions): Promise<Exception> =>
    connection.ask({ method: 'GET', path: ['exceptions', id], answer: data(Exception) }, options),
  list: ({ status, kind, ...query }: Query = {}, options?: CallOptions): Listing<Exception> =>
    listing(connection, ['exceptions'], Exception, query, options, { status, kind }),
  /** Decides what becomes of it. Once it is resolved, or on its way back, another decision rejects. */
  resolve: (id: string, body: Sent<typeof Resolution>, options?: CommandOptions): Promise<Exception> =>
    connection.ask(
      { method: 'POST', path: ['exceptions', id, 'resolve'], body, answer: data(Exception), isCommand: true },
      options,
    ),
})
