import type * as t from 'io-ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import {
  type ChangedProduct,
  DeletedProduct,
  type HistoryEntry,
  type NewProduct,
  Product,
  type ProductStatus,
} from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

export const productsOf = (connection: Connection) => {
  const { ask } = connection
  const answer = data(Product)
  return {
    create: (body: RequestBody<typeof NewProduct>, options?: CommandOptions): Promise<Product> =>
      ask({ method: 'POST', path: ['product'], body, answer, isCommand: true }, options),
    retrieve: (id: string, options?: CallOptions): Promise<Product> =>
      ask({ method: 'GET', path: ['product', id], answer }, options),
    update: (id: string, body: RequestBody<typeof ChangedProduct>, options?: CommandOptions): Promise<Product> =>
      ask({ method: 'PUT', path: ['product', id], body, answer, isCommand: true }, options),
    /** Archives the product, since past sales refer to it. */
    delete: (id: string, options?: CommandOptions): Promise<t.TypeOf<typeof DeletedProduct>> =>
      ask({ method: 'DELETE', path: ['product', id], answer: data(DeletedProduct), isCommand: true }, options),
    /** What happened to it and to what belongs to it, oldest first. */
    history: (id: string, query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
      historyAt(connection, ['product', id, 'history'], query, options),
    list: (
      { status, ...query }: ListQuery & { readonly status?: t.TypeOf<typeof ProductStatus> } = {},
      options?: CallOptions,
    ): Listing<Product> => listing(connection, ['product'], Product, query, options, { status }),
  }
}
