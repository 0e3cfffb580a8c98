import type { CallOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing } from '../listing.ts'
import { HistoryEntry } from '../wire/index.ts'

/** `starting_after`: the entry after which to begin. */
export type HistoryQuery = Pick<ListQuery, 'limit' | 'starting_after'>

/** What happened to a resource and to what belongs to it, oldest first. */
export const historyAt = (
  connection: Connection,
  path: ReadonlyArray<string>,
  { limit, starting_after }: HistoryQuery = {},
  options?: CallOptions,
): Listing<HistoryEntry> =>
  listing(
    connection,
    path,
    HistoryEntry,
    { ...(limit === undefined ? {} : { limit }), ...(starting_after === undefined ? {} : { starting_after }) },
    options,
  )
