import type { Billing } from '@quittance/billing'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unavailable } from '../wire/unavailable.ts'

/** What the routes are made with. */
export type RouteContext = { readonly server: FastifyInstance; readonly billing: Billing }

/** The options of a route for merchants, and of one for everybody. */
export const keyed = { config: { auth: 'key' as const } }
export const open = { config: { auth: 'none' as const } }

/** The options of a list for merchants; `filters` are those of its own that it cannot narrow by yet. */
export const keyedList = (...filters: ReadonlyArray<string>) => ({
  ...keyed,
  ...unavailable('created[gte]', 'created[lt]', ...filters),
})

/** A parameter that the route's own pattern guarantees. */
export const pathParameter = ({ params }: FastifyRequest, name: string): string => {
  const value =
    typeof params === 'object' && params !== null ? Object.getOwnPropertyDescriptor(params, name)?.value : null
  if (typeof value !== 'string') throw new Error(`the route has no parameter ${name}`)
  return value
}
