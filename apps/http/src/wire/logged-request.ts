import type { FastifyRequest } from 'fastify'

const idOfOurs = /^[a-z]{2,4}_[0-9A-Za-z]{22}$/

/**
 * A request as the log has it: its method, and its route with the ids of ours in their places. Whatever else stood in its
 * address (a token, an email that somebody put there), in its headers or in its body, is nobody's to read later, and so
 * is where it came from.
 */
export const loggedRequest = ({ method, routeOptions, params }: FastifyRequest) => ({
  method,
  path: routeOptions.url?.replaceAll(/:(\w+)/g, (name, parameter: string) => {
    const value = Object.entries(params ?? {}).find(([known]) => known === parameter)?.[1]
    return typeof value === 'string' && idOfOurs.test(value) ? value : name
  }),
})
