import type { CallOptions, Connection, Query } from '../connection.ts'
import { moment } from '../listing.ts'
import { data } from '../response.ts'
import { Evidence, type JournalEntry, JournalPage, Summary } from '../wire/index.ts'

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

/** The merchant's books, and evidence. But for the summary, they take a secret key, not an app token. */
export const reportsOf = ({ ask }: Connection) => ({
  /** Double entry, folded from the log: each entry balances in each asset and currency, and names its event. */
  journal: ({ from, to, ...paging }: JournalQuery = {}, options?: CallOptions): JournalListing => {
    const range = { from: moment(from), to: moment(to) }
    const pageOf = (of: Query): Promise<JournalPage> =>
      ask(
        { method: 'GET', path: ['reports', 'journal'], query: { ...range, ...of }, answer: data(JournalPage) },
        options,
      )
    async function* all(): AsyncGenerator<JournalEntry, void> {
      let after: string | null | undefined = paging.starting_after
      do {
        const page: JournalPage = await pageOf({ limit: 100, ...paging, starting_after: after })
        yield* page.data
        after = page.next
      } while (after !== null)
    }
    return { page: () => pageOf(paging), [Symbol.asyncIterator]: all }
  },
  /** How the business goes: sales and renewals of the last 30 days, and subscriptions as they are. */
  summary: (options?: CallOptions): Promise<Summary> =>
    ask({ method: 'GET', path: ['reports', 'summary'], answer: data(Summary) }, options),
  /** Proves to others what the log has recorded of one of these; write `file` as it is. */
  evidence: (
    of: { readonly subscription: string } | { readonly payment: string } | { readonly customer: string },
    options?: CallOptions,
  ): Promise<Evidence> => ask({ method: 'GET', path: ['evidence'], query: of, answer: data(Evidence) }, options),
})
