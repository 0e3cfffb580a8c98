import type { Found, PageRequest, Table } from '@quittance/projections'
import type * as T from 'fp-ts/lib/Task.js'
import type { Services } from './services.ts'

/** A page of a list. */
export type Listing<Resource> = { readonly resources: ReadonlyArray<Resource>; readonly hasMore: boolean }

/** Reads a page, in which everything is that this process has written for its merchant. */
export const listed =
  ({ caughtUp }: Services) =>
  <Row, Resource>(
    table: Table<Row>,
    page: PageRequest,
    show: (found: Found<Row>) => Resource,
  ): T.Task<Listing<Resource>> =>
  async () => {
    await caughtUp.withOwnWrites(page.merchantId)
    const { rows, hasMore } = table.page(page)
    return { resources: rows.map(show), hasMore }
  }
