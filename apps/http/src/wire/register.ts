import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import type { Route } from './route.ts'

/** Serves the routes. `bounded` are the options of those of which one address may ask so much and no more. */
export const register = (
  server: FastifyInstance,
  routes: ReadonlyArray<Route>,
  bounded: Pick<RouteShorthandOptions, 'onRequest'>,
): void => {
  const serve =
    (to: FastifyInstance) =>
    ({ method, path, auth, isBounded, isEndless, respond }: Route): void => {
      to.route({
        method,
        url: path,
        config: { auth },
        exposeHeadRoute: method === 'GET' && !isEndless,
        ...(isBounded ? bounded : {}),
        handler: respond,
      })
    }
  routes.filter(({ isForm }) => !isForm).forEach(serve(server))
  // Of its own, so that no other route takes what a browser sends without being asked by a script.
  server.register(async (forms) => {
    forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    routes.filter(({ isForm }) => isForm).forEach(serve(forms))
  })
}
