import { type CustomerFamilies, customerMerges, joined } from '../customer-merges.ts'
import type { Asynchronous } from './asynchronous.ts'
import type { PostgresReading } from './prepare.ts'
import { type PostgresTable, postgresTable } from './table.ts'

export const postgresCustomerFamilies = (reading: PostgresReading): Asynchronous<CustomerFamilies> => {
  const merges = postgresTable(reading, customerMerges)
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

/** A table whose lists under an id hold what is listed under each of `idsOf` it. */
export const listedUnderAll = <Row>(
  rows: PostgresTable<Row>,
  idsOf: (id: string) => Promise<ReadonlyArray<string>>,
): PostgresTable<Row> => ({
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
