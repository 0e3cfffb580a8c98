import type { Listing } from '@quittance/billing'
import type { PageRequest, Scope } from '@quittance/projections'
import type { FastifyRequest } from 'fastify'
import type * as T from 'fp-ts/lib/Task.js'
import { principalOf } from './auth.ts'
import { type Answer, answerOf } from './call.ts'
import { HttpError, invalid } from './errors.ts'

const defaultLimit = 10
const largestLimit = 100

/** What a list can be narrowed by, beside its page: the customer, and the statuses there are. */
type Filters = { readonly customer?: true; readonly statuses?: ReadonlyArray<string> }

/** A resource of which there are lists. */
type Listed = {
  readonly list: (page: PageRequest) => T.Task<Listing<unknown>>
  readonly retrieve: (scope: Scope, id: string) => Answer<unknown>
}

/** The page of a list that a query asks for. Throws 400 for what is malformed, and for a cursor that is not there. */
export const answerList = async (
  request: FastifyRequest,
  url: string,
  { list, retrieve }: Listed,
  filters: Filters = {},
) => {
  const { merchantId, environment } = principalOf(request)
  const { limit, customer, status, ...cursors } = single(request.query)
  if (filters.statuses !== undefined && status !== undefined && !filters.statuses.includes(status)) {
    throw invalid('status', `"status" must be one of ${filters.statuses.join(', ')}`)
  }
  const page: PageRequest = {
    merchantId,
    environment,
    limit: limit === undefined ? defaultLimit : readLimit(limit),
    ...(filters.customer && customer !== undefined ? { customerId: customer } : {}),
    ...(filters.statuses !== undefined && status !== undefined ? { status } : {}),
    ...(await cursorIn(cursors, (id) => retrieve({ merchantId, environment }, id))),
  }
  const { resources, hasMore } = await list(page)()
  return { data: { object: 'list', data: resources, has_more: hasMore, url } }
}

type Query = Readonly<Record<string, string | undefined>>

const cursorIn = async (
  { starting_after: startingAfter, ending_before: endingBefore }: Query,
  retrieve: (id: string) => Answer<unknown>,
): Promise<Pick<PageRequest, 'startingAfter' | 'endingBefore'>> => {
  if (startingAfter !== undefined && endingBefore !== undefined) {
    throw invalid('ending_before', 'Give "starting_after" or "ending_before", not both')
  }
  const cursor = startingAfter ?? endingBefore
  if (cursor === undefined) return {}
  try {
    await answerOf(retrieve(cursor))
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 404) throw error
    const name = startingAfter === undefined ? 'ending_before' : 'starting_after'
    throw invalid(name, `"${name}" must be the id of a record of this list`)
  }
  return startingAfter === undefined ? { endingBefore: cursor } : { startingAfter: cursor }
}

const readLimit = (text: string): number => {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > largestLimit) throw invalid('limit', `"limit" must be a number from 1 to ${largestLimit}`)
  return limit
}

/** Query parameters, each given once. */
export const single = (query: unknown): Query => {
  const entries = Object.entries(typeof query === 'object' && query !== null ? query : {})
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== 'string') throw invalid(name, `"${name}" must be given once`)
      return [name, value]
    }),
  )
}
