import type * as t from 'io-ts'
import { data } from '../answer.ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import type { Sent } from '../sent.ts'
import { type ChangedProduct, DeletedProduct, type NewProduct, Product, type ProductStatus } from '../wire/index.ts'

export const productsOf = (connection: Connection) => {
  const { ask } = connection
  const answer = data(Product)
  return {
    create: (body: Sent<typeof NewProduct>, options?: CommandOptions): Promise<Product> =>
      ask({ method: 'POST', path: ['product'], body, answer, isCommand: true }, options),
    retrieve: (id: string, options?: CallOptions): Promise<Product> =>
      ask({ method: 'GET', path: ['product', id], answer }, options),
    update: (id: string, body: Sent<typeof ChangedProduct>, options?: CommandOptions): Promise<Product> =>
      ask({ method: 'PUT', path: ['product', id], body, answer, isCommand: true }, options),
    /** Archives: what was sold refers to it. */
    delete: (id: string, options?: CommandOptions): Promise<t.TypeOf<typeof DeletedProduct>> =>
      ask({ method: 'DELETE', path: ['product', id], answer: data(DeletedProduct), isCommand: true }, options),
    list: (
      { status, ...query }: ListQuery & { readonly status?: t.TypeOf<typeof ProductStatus> } = {},
      options?: CallOptions,
    ): Listing<Product> => listing(connection, ['product'], Product, query, options, { status }),
  }
}
