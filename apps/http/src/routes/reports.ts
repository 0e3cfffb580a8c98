import { type Billing, type JournalEntryResource, journalEntryResource, type Principal } from '@quittance/billing'
import { JournalPage, moment, optional, Summary, says } from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyAlone, keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { invalid } from '../wire/errors.ts'
import { limit } from '../wire/lists.ts'
import { type Route, route } from '../wire/route.ts'

/** One request reads no more events than this, however few of them are the merchant's. */
const mostRead = 2_000

/** The merchant's books, in the order of the log, which show money of every kind, so that no app token is admitted; and a summary. */
export const reportRoutes = (billing: Billing): ReadonlyArray<Route> => [
  route({
    method: 'GET',
    path: '/reports/journal',
    summary: 'The journal in double entry, oldest first',
    auth: keyAlone,
    query: t.type({
      from: says('Only entries that count then or later.', optional(moment)),
      to: says('Only entries that count before.', optional(moment)),
      limit,
      starting_after: says('The `next` of the page before.', optional(t.string)),
    }),
    answer: JournalPage,
    handler: async ({ principal, query: { from, to, limit: most, starting_after } }) => {
      if (from !== null && to !== null && from >= to) throw invalid('to', '"to" must be after "from"')
      const { merchantId, environment } = principal()
      const cursors = cursorsOf(billing, principal())
      const after = starting_after === null ? 0n : await cursors.read(starting_after)
      if (after === null)
        throw invalid('starting_after', '"starting_after" must be the "next" of a page of your journal')
      const entries: Array<JournalEntryResource> = []
      const request = { merchantId, environment, from, to, after, most, mostRead }
      const { next } = await answerOf(
        billing.journal(request, (entry) => void entries.push(journalEntryResource(entry))),
      )
      return {
        object: 'list' as const,
        data: entries,
        has_more: next !== null,
        next: next === null ? null : await cursors.write(next),
        url: '/reports/journal',
      }
    },
  }),
  route({
    method: 'GET',
    path: '/reports/summary',
    summary: 'Tell how the business goes: sales of the last 30 days, and subscriptions as they are',
    auth: keyed('payments:read', 'subscriptions:read', 'exceptions:read'),
    answer: Summary,
    handler: ({ principal }) => billing.summarize(principal())(),
  }),
]

/** Positions of the log with a keyed hash, since a store can only be asked for positions that it has given. */
const cursorsOf = (billing: Billing, { merchantId, environment }: Principal) => {
  const write = async (position: bigint): Promise<string> => {
    const hash = await billing.requestHash(['journal', merchantId, environment, `${position}`])
    return `${position}_${hash.slice(0, 24)}`
  }
  const read = async (cursor: string): Promise<bigint | null> => {
    const [, digits = ''] = /^(\d{1,40})_[0-9a-f]{24}$/.exec(cursor) ?? []
    const position = BigInt(digits)
    return cursor === (await write(position)) ? position : null
  }
  return { write, read }
}
