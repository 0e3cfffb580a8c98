import { CustomerId, CustomerMerges } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { Page, PageRequest, ReadModel } from './read-model.ts'
import type { Reading } from './reading.ts'
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

/**
 * Which customers are one person, by the merges in the log. An answer takes several queries. What is merged meanwhile may
 * be part of it or not.
 */
export type CustomerFamilies = {
  /** The customer that has taken the place of this one; itself if it was not merged. */
  readonly remaining: (customerId: string) => Promise<string>
  /** All customers who are the same person as this one: first the one that remains. */
  readonly allOf: (customerId: string) => Promise<ReadonlyArray<string>>
}

export const customerFamilies = (reading: Reading): CustomerFamilies => {
  const merges = table(reading, customerMerges)
  const remaining = async (id: string): Promise<string> => {
    const merged = await merges.withId(id)
    return merged === null ? id : remaining(merged.row.into)
  }
  const withMerged = async (id: string): Promise<ReadonlyArray<string>> => {
    const merged = await merges.withKey(id)
    return [id, ...(await Promise.all(merged.map((each) => withMerged(each.id)))).flat()]
  }
  return { remaining, allOf: async (id) => withMerged(await remaining(id)) }
}

/** A table whose lists under an id hold what is listed under each of `idsOf` it, whose lists are read at the same time. */
export const listedUnderAll = <Row>(
  rows: Table<Row>,
  idsOf: (id: string) => Promise<ReadonlyArray<string>>,
): Table<Row> => ({
  ...rows,
  page: async (request) => {
    if (request.listedUnder === undefined) return rows.page(request)
    const ids = await idsOf(request.listedUnder)
    const pages = await Promise.all(ids.map((listedUnder) => rows.page({ ...request, listedUnder })))
    const [only, ...others] = pages
    return only !== undefined && others.length === 0 ? only : joined(pages, request)
  },
  withKeyUnder: async (scope, listedUnder, lookupKey) => {
    const ids = await idsOf(listedUnder)
    const found = await Promise.all(ids.map((id) => rows.withKeyUnder(scope, id, lookupKey)))
    return found.flat().sort((one, two) => (one.id < two.id ? -1 : 1))
  },
})

/** Each page holds the rows nearest to the bound, so together they hold those nearest to it of all. */
const joined = <Row>(pages: ReadonlyArray<Page<Row>>, { endingBefore, limit }: PageRequest): Page<Row> => {
  const rows = pages.flatMap((page) => page.rows).sort((one, two) => (one.id < two.id ? 1 : -1))
  const nearest = endingBefore === undefined ? rows.slice(0, limit) : rows.slice(-limit)
  return { rows: nearest, hasMore: rows.length > limit || pages.some(({ hasMore }) => hasMore) }
}
