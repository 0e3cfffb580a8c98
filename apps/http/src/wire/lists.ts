import type { Listing, Principal } from '@quittance/billing'
import type { Reads } from '@quittance/billing/scopes'
import { described, listOf, moment, optional, says, text, withDefault } from '@quittance/client/wire'
import type { UnixMs } from '@quittance/domain'
import type { Scope as Owner, PageRequest } from '@quittance/projections'
import type * as T from 'fp-ts/lib/Task.js'
import * as t from 'io-ts'
import type { Auth } from './auth.ts'
import { answerOf, type BillingTask } from './call.ts'
import { HttpError, invalid } from './errors.ts'
import { type AtMoment, momentQuery } from './moment.ts'
import { absent } from './query.ts'
import { type Route, route } from './route.ts'

const defaultLimit = 10
const largestLimit = 100

const limitName = `a number from 1 to ${largestLimit}`
const limitNumber = described(
  new t.Type<number, string, unknown>(
    limitName,
    t.number.is,
    (input, context) => {
      const number = typeof input === 'string' && /^\d{1,3}$/.test(input) ? Number(input) : 0
      return number < 1 || number > largestLimit ? t.failure(input, context) : t.success(number)
    },
    String,
  ),
  limitName,
  { type: 'integer', minimum: 1, maximum: largestLimit },
)

export const limit = says('How many records to answer.', withDefault(limitNumber, defaultLimit))

/** The query parameters of every list. */
export const page = {
  limit,
  starting_after: says('The id of the record after which to begin.', optional(t.string)),
  ending_before: says('The id of the record directly before which to end.', optional(t.string)),
  'created[gte]': says('Only what was made then or later.', optional(moment)),
  'created[lt]': says('Only what was made before.', optional(moment)),
}

/** A resource with lists. */
type Listed<Resource> = {
  readonly list: (page: PageRequest) => T.Task<Listing<Resource>>
  readonly retrieve: (owner: Owner, id: string) => BillingTask<unknown>
}

/**
 * A list, newest first, page by page, now or at a moment. `of` is the codec of its records; `status`, `byCustomer` and `bySubscription`
 * turn filters on.
 */
export const list = <C extends t.Mixed, Status extends string = never>({
  path,
  summary,
  auth,
  of,
  from,
  status,
  byCustomer,
  bySubscription,
  visible,
}: {
  readonly path: string
  readonly summary: string
  readonly auth: Auth
  readonly of: C
  readonly from: AtMoment<Listed<t.OutputOf<C>>>
  readonly status?: t.Type<Status, unknown, unknown>
  readonly byCustomer?: true
  readonly bySubscription?: true
  /** The record without what is embedded in it and not the reader's to read. */
  readonly visible?: (reads: Reads, record: t.OutputOf<C>) => t.OutputOf<C>
}): Route => {
  const filters = {
    customer_id: byCustomer ? says('The id of a customer.', optional(text(100))) : absent,
    status: status === undefined ? absent : says('Only those with this status.', optional(status)),
    subscription_id: bySubscription
      ? says('The id of a subscription: what was paid for it, its first payment too.', optional(text(100)))
      : absent,
  }
  return route({
    method: 'GET',
    path,
    summary,
    auth,
    query: t.type({ ...filters, ...page, ...momentQuery }),
    answer: listOf(of),
    handler: async ({ principal, reads, query }) => {
      const narrowed = (request: PageRequest): PageRequest => ({
        ...request,
        ...(query.customer_id === null ? {} : { listedUnder: query.customer_id }),
        ...(query.status === null ? {} : { status: query.status }),
        ...(query.subscription_id === null ? {} : { lookupKey: query.subscription_id }),
      })
      const { list, retrieve } = from(query)
      const listed = { list: (request: PageRequest) => list(narrowed(request)), retrieve }
      const answer = await answerPage(path, principal(), query, listed)
      return visible === undefined ? answer : { ...answer, data: answer.data.map((each) => visible(reads(), each)) }
    },
  })
}

/** A record by its id, now or at a moment. */
export const record = <C extends t.Mixed>({
  id,
  of,
  from,
  ...declared
}: {
  readonly path: `${string}/:id`
  readonly summary: string
  readonly auth: Auth
  readonly id: t.Mixed
  readonly of: C
  readonly from: AtMoment<{ readonly retrieve: (owner: Principal, id: string) => BillingTask<t.OutputOf<C>> }>
}): Route =>
  route({
    ...declared,
    method: 'GET',
    params: { id },
    query: t.type(momentQuery),
    answer: of,
    handler: ({ param, principal, query }) => answerOf(from(query).retrieve(principal(), param('id'))),
  })

/** The requested page of a list at `url`. Throws 400 for a cursor that is not in the list. */
export const answerPage = async <Resource>(
  url: string,
  { merchantId, environment }: Owner,
  query: Created & Cursors & { readonly limit: number },
  { list, retrieve }: Listed<Resource>,
) => {
  const { resources, hasMore } = await list({
    merchantId,
    environment,
    limit: query.limit,
    ...createdIn(query),
    ...(await cursorIn(query, (id) => retrieve({ merchantId, environment }, id))),
  })()
  return { object: 'list' as const, data: resources, has_more: hasMore, url }
}

type Created = { readonly 'created[gte]': UnixMs | null; readonly 'created[lt]': UnixMs | null }

const createdIn = ({ 'created[gte]': from, 'created[lt]': before }: Created) => ({
  ...(from === null ? {} : { createdFrom: from }),
  ...(before === null ? {} : { createdBefore: before }),
})

type Cursors = { readonly starting_after: string | null; readonly ending_before: string | null }

const cursorIn = async (
  { starting_after: startingAfter, ending_before: endingBefore }: Cursors,
  retrieve: (id: string) => BillingTask<unknown>,
): Promise<Pick<PageRequest, 'startingAfter' | 'endingBefore'>> => {
  if (startingAfter !== null && endingBefore !== null) {
    throw invalid('ending_before', 'Give "starting_after" or "ending_before", not both')
  }
  const cursor = startingAfter ?? endingBefore
  if (cursor === null) return {}
  try {
    await answerOf(retrieve(cursor))
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 404) throw error
    const name = startingAfter === null ? 'ending_before' : 'starting_after'
    throw invalid(name, `"${name}" must be the id of a record of this list`)
  }
  return startingAfter === null ? { endingBefore: cursor } : { startingAfter: cursor }
}
