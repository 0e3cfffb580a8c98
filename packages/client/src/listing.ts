import type * as t from 'io-ts'
import type { CallOptions, Connection, Query } from './connection.ts'
import { data } from './response.ts'
import { listOf } from './wire/index.ts'

/** Parameters of every list. */
export type ListQuery = {
  /** Records per page, from 1 to 100; by default 10, and 100 while iterating. */
  readonly limit?: number
  /** Starts after the record with this id, towards older ones. */
  readonly starting_after?: string
  /** Starts before the record with this id, towards newer ones. */
  readonly ending_before?: string
  /** When the records were created, in ISO 8601. */
  readonly created?: { readonly gte?: string | Date; readonly lt?: string | Date }
}

/** A page of a list, and whether there are more. */
export type Page<A> = {
  /** Newest first. */
  readonly data: ReadonlyArray<A>
  /** Whether more records follow: older ones, or newer ones than `ending_before`. */
  readonly has_more: boolean
}

/**
 * A list. Iterate for all records: newest first, or with `ending_before` from there to newer ones. The next page is
 * requested before the last record of a page is yielded, so that record may then be deleted.
 */
export type Listing<A> = AsyncIterable<A> & { readonly page: () => Promise<Page<A>> }

/** `filters` are this list's own parameters. */
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
    [Symbol.asyncIterator]: () => records((from) => pageAt(from, limit ?? 100), cursor),
  }
}

async function* records<A extends { readonly id: string }>(
  pageAt: (cursor: Query) => Promise<Page<A>>,
  from: Query,
): AsyncGenerator<A, void> {
  const isTowardsNewer = from.ending_before !== undefined
  let page: Page<A> | null = await pageAt(from)
  while (page !== null) {
    const inOrder: ReadonlyArray<A> = isTowardsNewer ? page.data.toReversed() : page.data
    const last = inOrder.at(-1)
    if (last === undefined) return
    yield* inOrder.slice(0, -1)
    page = page.has_more
      ? await pageAt(isTowardsNewer ? { ending_before: last.id } : { starting_after: last.id })
      : null
    yield last
  }
}

/** A time in wire form. */
export const moment = (at: string | Date | undefined): string | undefined =>
  at instanceof Date ? at.toISOString() : at
