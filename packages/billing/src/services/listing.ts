import type { Found, PageRequest, Table } from '@quittance/projections'
import type { Services } from './services.ts'

/** A page of a list. */
export type Listing<Resource> = { readonly resources: ReadonlyArray<Resource>; readonly hasMore: boolean }

/** Reads a page that holds everything this process has written for its merchant. */
export const listed = async <Row, Resource>(
  { caughtUp }: Pick<Services, 'caughtUp'>,
  table: Table<Row>,
  page: PageRequest,
  show: (found: Found<Row>) => Resource | Promise<Resource>,
): Promise<Listing<Resource>> => {
  await caughtUp.withOwnWrites(page.merchantId)
  const { rows, hasMore } = await table.page(page)
  return { resources: await Promise.all(rows.map(show)), hasMore }
}
