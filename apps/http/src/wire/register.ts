import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import type { Route } from './route.ts'

/** Serves the routes. `bounded` are the options of those of which one address may ask so much and no more. */
export const register = (
  server: FastifyInstance,
  routes: ReadonlyArray<Route>,
  bounded: Pick<RouteShorthandOptions, 'onRequest'>,
): void => {
  for (const { method, path, auth, isBounded, isEndless, respond } of routes) {
    server.route({
      method,
      url: path,
      config: { auth },
      exposeHeadRoute: method === 'GET' && !isEndless,
      ...(isBounded ? bounded : {}),
      handler: respond,
    })
  }
}
