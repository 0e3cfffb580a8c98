import type { Billing } from '@quittance/billing'
import type { FastifyInstance } from 'fastify'

/** What the routes are made with. */
export type RouteContext = { readonly server: FastifyInstance; readonly billing: Billing }

/** A path parameter that the route's own pattern guarantees. */
export const pathParameter = (params: unknown, name: string): string => {
  const value =
    typeof params === 'object' && params !== null ? Object.entries(params).find(([key]) => key === name) : undefined
  if (typeof value?.[1] !== 'string') throw new Error(`the route has no parameter ${name}`)
  return value[1]
}
