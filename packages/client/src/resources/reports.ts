import type { CallOptions, Connection } from '../connection.ts'
import { moment } from '../listing.ts'
import { data } from '../response.ts'
import { type JournalEntry, JournalPage } from '../wire/index.ts'

/** Which entries: those that count from `from` on and before `to`, in ISO 8601; unless given, all. */
type JournalQuery = {
  readonly from?: string | Date
  readonly to?: string | Date
  /** Entries per page, from 1 to 100; by default 10, and 100 while iterating. */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly starting_after?: string
}

/** The journal. Iterate for all entries, oldest first, or take one page; a page may have no entries and a `next`. */
type JournalListing = AsyncIterable<JournalEntry> & { readonly page: () => Promise<JournalPage> }

/** The merchant's books. They take a secret key, not an app token. */
export const reportsOf = ({ ask }: Connection) => ({
  /** Double entry, folded from the log: each entry balances in each asset and currency, and names its event. */
  journal: ({ from, to, ...paging }: JournalQuery = {}, options?: CallOptions): JournalListing => {
    const range = { from: moment(from), to: moment(to) }
    const pageOf = ({
      limit,
      starting_after,
    }: Pick<JournalQuery, 'limit' | 'starting_after'>): Promise<JournalPage> => {
      const query = { ...range, limit, starting_after }
      return ask({ method: 'GET', path: ['reports', 'journal'], query, answer: data(JournalPage) }, options)
    }
    async function* all(): AsyncGenerator<JournalEntry, void> {
      const { limit = 100 } = paging
      let page = await pageOf({ ...paging, limit })
      yield* page.data
      while (page.next !== null) {
        page = await pageOf({ limit, starting_after: page.next })
        yield* page.data
      }
    }
    return { page: () => pageOf(paging), [Symbol.asyncIterator]: all }
  },
})
