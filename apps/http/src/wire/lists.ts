import type { PageRequest, Scope } from '@quittance/projections'
import { invalid } from './errors.ts'

const defaultLimit = 10
const largestLimit = 100

/** The page that a list's query asks for. */
export const pageRequest = ({ merchantId, environment }: Scope, query: unknown): PageRequest => {
  const { limit, customer } = single(query)
  return {
    merchantId,
    environment,
    limit: limit === undefined ? defaultLimit : readLimit(limit),
    ...(customer === undefined ? {} : { customerId: customer }),
  }
}

const readLimit = (text: string): number => {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > largestLimit) throw invalid('limit', `"limit" must be a number from 1 to ${largestLimit}`)
  return limit
}

/** Query parameters, each given once. */
export const single = (query: unknown): Readonly<Record<string, string | undefined>> => {
  const entries = Object.entries(typeof query === 'object' && query !== null ? query : {})
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== 'string') throw invalid(name, `"${name}" must be given once`)
      return [name, value]
    }),
  )
}

/** A list as the interface wraps it. */
export const listOf = (
  url: string,
  { resources, hasMore }: { readonly resources: ReadonlyArray<unknown>; readonly hasMore: boolean },
) => ({ data: { object: 'list', data: resources, has_more: hasMore, url } })
