import type { FastifyInstance } from 'fastify'
import { pageSecurityHeaders } from '../page/index.ts'
import { open } from '../wire/auth.ts'
import { type OpenApi, openApiOf } from '../wire/openapi/document.ts'
import { referencePage, referenceStyle } from '../wire/openapi/reference-page.ts'
import { page, type Route } from '../wire/route.ts'

/** Adds the routes of the reference, which describes all of them, at `url`. It is made when it is first requested. */
export const withReference = (url: () => string, described: ReadonlyArray<Route>): ReadonlyArray<Route> => {
  const routes: ReadonlyArray<Route> = [...described, ...referenceRoutes(() => openApiOf(routes, url()))]
  return routes
}

const referenceRoutes = (make: () => OpenApi): ReadonlyArray<Route> => {
  const document = once(make)
  const json = once(() => JSON.stringify(document()))
  const html = once(() => referencePage(document()))
  return [
    page({
      path: '/openapi.json',
      summary: 'This reference as OpenAPI 3.1',
      auth: open,
      answers: { 200: { _tag: 'media', type: 'application/json' } },
      handler: async (_, reply) => reply.type('application/json; charset=utf-8').send(json()),
    }),
    page({
      path: '/docs',
      summary: 'This reference as a page',
      auth: open,
      answers: { 200: { _tag: 'media', type: 'text/html' } },
      handler: async (_, reply) =>
        reply.headers(pageSecurityHeaders(null)).type('text/html; charset=utf-8').send(html()),
    }),
  ]
}

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The style sheet of the page. */
export const referenceFiles = (server: FastifyInstance): void => {
  server.get(referenceStyle.path, { config: { auth: open } }, async (_request, reply) =>
    reply.header('x-content-type-options', 'nosniff').type('text/css; charset=utf-8').send(referenceStyle.body),
  )
}
