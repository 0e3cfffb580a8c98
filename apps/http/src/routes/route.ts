import type { Billing } from '@quittance/billing'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** What the routes are made with. */
export type RouteContext = { readonly server: FastifyInstance; readonly billing: Billing }

/** A parameter that the route's own pattern guarantees. */
export const pathParameter = ({ params }: FastifyRequest, name: string): string => {
  const value =
    typeof params === 'object' && params !== null ? Object.getOwnPropertyDescriptor(params, name)?.value : null
  if (typeof value !== 'string') throw new Error(`the route has no parameter ${name}`)
  return value
}
