import type * as t from 'io-ts'
import { data } from '../answer.ts'
import type { CallOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import { Exception, type ExceptionStatus } from '../wire/index.ts'

type Query = ListQuery & { readonly status?: t.TypeOf<typeof ExceptionStatus> }

/** Money that came and does not fit. */
export const exceptionsOf = (connection: Connection) => ({
  retrieve: (id: string, options?: CallOptions): Promise<Exception> =>
    connection.ask({ method: 'GET', path: ['exceptions', id], answer: data(Exception) }, options),
  list: ({ status, ...query }: Query = {}, options?: CallOptions): Listing<Exception> =>
    listing(connection, ['exceptions'], Exception, query, options, { status }),
})
