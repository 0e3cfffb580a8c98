import type * as t from 'io-ts'
import { data } from './answer.ts'
import type { CallOptions, Connection, Query } from './connection.ts'
import { listOf } from './wire/index.ts'

/** What every list can be asked for. */
export type ListQuery = {
  /** How many records a page has, from 1 to 100: 10 unless said, and 100 for a walk. */
  readonly limit?: number
  /** The id of the record after which to begin: towards older ones. */
  readonly starting_after?: string
  /** The id of the record before which to begin: towards newer ones. */
  readonly ending_before?: string
  /** When the records were made, in ISO 8601. */
  readonly created?: { readonly gte?: string | Date; readonly lt?: string | Date }
}

export type Page<A> = {
  /** Newest first. */
  readonly data: ReadonlyArray<A>
  /** Whether more records follow: older ones, or newer ones than `ending_before`. */
  readonly has_more: boolean
}

/**
 * A list. Iterate for all records, page after page: newest first, or with `ending_before` from there to newer ones.
 * The next page is asked for before the last record of one is given out, so a record may be deleted once it is there.
 */
export type Listing<A> = AsyncIterable<A> & { readonly page: () => Promise<Page<A>> }

/** `filters` are the parameters that only this list has. */
export const listing = <A extends { readonly id: string }, O>(
  { ask }: Connection,
  path: ReadonlyArray<string>,
  of: t.Type<A, O, unknown>,
  { limit, starting_after, ending_before, created = {} }: ListQuery,
  options: CallOptions | undefined,
  filters: Query = {},
): Listing<A> => {
  const answer = data(listOf(of))
  const narrowed = { ...filters, 'created[gte]': moment(created.gte), 'created[lt]': moment(created.lt) }
  const pageAt = (cursor: Query, limit: number | undefined): Promise<Page<A>> =>
    ask({ method: 'GET', path, query: { ...narrowed, limit, ...cursor }, answer }, options)
  const cursor = { starting_after, ending_before }
  return {
    page: () => pageAt(cursor, limit),
    [Symbol.asyncIterator]: () => walk((from) => pageAt(from, limit ?? 100), cursor),
  }
}

async function* walk<A extends { readonly id: string }>(
  pageAt: (cursor: Query) => Promise<Page<A>>,
  from: Query,
): AsyncGenerator<A, void> {
  const isTowardsNewer = from.ending_before !== undefined
  let page: Page<A> | null = await pageAt(from)
  while (page !== null) {
    const records: ReadonlyArray<A> = isTowardsNewer ? page.data.toReversed() : page.data
    const last = records.at(-1)
    if (last === undefined) return
    yield* records.slice(0, -1)
    page = page.has_more
      ? await pageAt(isTowardsNewer ? { ending_before: last.id } : { starting_after: last.id })
      : null
    yield last
  }
}

/** A moment as it is sent. */
export const moment = (at: string | Date | undefined): string | undefined =>
  at instanceof Date ? at.toISOString() : at
