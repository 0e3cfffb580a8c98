import { CustomerId, CustomerMerges } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { Page, PageRequest, ReadModel } from './read-model.ts'
import { type Table, table } from './table.ts'

const CustomerMergeRow = t.strict({ into: CustomerId })
type CustomerMergeRow = t.TypeOf<typeof CustomerMergeRow>

const decode = decodedBy(CustomerMerges)

/** A row for each customer that was merged into another, found by that one. */
export const customerMerges: ReadModel<CustomerMergeRow> = {
  name: 'customer_merges',
  version: 1,
  category: CustomerMerges.category,
  row: CustomerMergeRow,
  rowOf: (recorded) => decode(recorded).data.from,
  fold: (_, recorded) => O.some({ into: decode(recorded).data.into }),
  columns: ({ into }) => ({ lookupKey: into }),
}

/** Which customers are one person, by the merges in the log. */
export type CustomerFamilies = {
  /** The customer that has taken the place of this one; itself if it was not merged. */
  readonly remaining: (customerId: string) => string
  /** All customers who are the same person as this one: first the one that remains. */
  readonly allOf: (customerId: string) => ReadonlyArray<string>
}

export const customerFamilies = (database: SqlDatabase): CustomerFamilies => {
  const merges = table(database, customerMerges)
  const remaining = (id: string): string => {
    const merged = merges.withId(id)
    return merged === null ? id : remaining(merged.row.into)
  }
  const withMerged = (id: string): ReadonlyArray<string> => [
    id,
    ...merges.withKey(id).flatMap((merged) => withMerged(merged.id)),
  ]
  return { remaining, allOf: (id) => withMerged(remaining(id)) }
}

/** A table whose lists under an id hold what is listed under each of `idsOf` it. */
export const listedUnderAll = <Row>(rows: Table<Row>, idsOf: (id: string) => ReadonlyArray<string>): Table<Row> => ({
  ...rows,
  page: (request) => {
    if (request.listedUnder === undefined) return rows.page(request)
    const pages = idsOf(request.listedUnder).map((listedUnder) => rows.page({ ...request, listedUnder }))
    const [only, ...others] = pages
    return only !== undefined && others.length === 0 ? only : joined(pages, request)
  },
  withKeyUnder: (scope, listedUnder, lookupKey) => {
    const found = idsOf(listedUnder).flatMap((id) => rows.withKeyUnder(scope, id, lookupKey))
    return found.sort((one, two) => (one.id < two.id ? -1 : 1))
  },
})

/** Each page holds the rows nearest to the bound, so together they hold those nearest to it of all. */
export const joined = <Row>(pages: ReadonlyArray<Page<Row>>, { endingBefore, limit }: PageRequest): Page<Row> => {
  const rows = pages.flatMap((page) => page.rows).sort((one, two) => (one.id < two.id ? 1 : -1))
  const nearest = endingBefore === undefined ? rows.slice(0, limit) : rows.slice(-limit)
  return { rows: nearest, hasMore: rows.length > limit || pages.some(({ hasMore }) => hasMore) }
}
