import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Route } from './route.ts'
import { refusalIn } from './server.ts'

/** Serves the routes. `bounded` are the options of those of which one address may ask so much and no more. */
export const register = (
  server: FastifyInstance,
  routes: ReadonlyArray<Route>,
  bounded: Pick<RouteShorthandOptions, 'onRequest'>,
): void => {
  const serve =
    (to: FastifyInstance) =>
    ({ method, path, auth, isBounded, isEndless, refused, respond }: Route): void => {
      to.route({
        method,
        url: path,
        config: { auth },
        exposeHeadRoute: method === 'GET' && !isEndless,
        ...(isBounded ? bounded : {}),
        ...(refused === undefined ? {} : { errorHandler: onPage(refused) }),
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

const takesPages = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false

/** Shows a refusal on a page to who takes pages. All else is answered as everywhere. */
const onPage =
  (refused: NonNullable<Route['refused']>): NonNullable<RouteShorthandOptions['errorHandler']> =>
  (error, request, reply) => {
    const refusal = refusalIn(error)
    if (refusal === null || !takesPages(request)) throw error
    return refused(refusal, reply)
  }
