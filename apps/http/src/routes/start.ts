import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { says } from '@quittance/client/wire'
import * as t from 'io-ts'
import { pageSecurityHeaders, renderStartPage, startLinks } from '../page/index.ts'
import { open } from '../wire/auth.ts'
import { takesPages } from '../wire/register.ts'
import { page, type Route } from '../wire/route.ts'
import { readerOf } from './reader.ts'

const Start = t.type(
  {
    name: says('What this service is called.', t.literal('Quittance')),
    quickstart: says('The path of a guide to a first sale, as text.', t.string),
    reference: says('The path of the reference, as a page.', t.string),
    openapi: says('The path of the reference, as OpenAPI 3.1.', t.string),
    dashboard: says("The path of the merchant's dashboard, as a page.", t.string),
    health: says('The path that tells whether the process answers.', t.string),
    ready: says('The path that tells whether requests can be answered.', t.string),
  },
  'Start',
)

const guide = join(import.meta.dirname, '../../../../docs/quickstart.md')

/** What the service is and where to go on, for those who open its address; and the guide that leads to a first sale. */
export const startRoutes = (facts: { readonly isSandbox: boolean }): ReadonlyArray<Route> => [
  page({
    path: '/',
    summary: 'Tell what this service is, and where its reference and its quickstart are',
    auth: open,
    answers: { 200: { _tag: 'bare', codec: Start, isAlsoPage: true } },
    handler: async ({ request }, reply) => {
      const reader = readerOf(request)
      reply.header('vary', 'accept, accept-language')
      return takesPages(request)
        ? reply
            .headers({ ...pageSecurityHeaders(null), 'content-language': reader.language })
            .type('text/html; charset=utf-8')
            .send(renderStartPage(reader, facts))
        : reply.send(Start.encode({ name: 'Quittance', ...startLinks }))
    },
  }),
  page({
    path: '/quickstart',
    summary: 'Show the guide to a first sale',
    auth: open,
    answers: { 200: { _tag: 'media', type: 'text/plain' } },
    handler: async (_, reply) =>
      reply
        .headers(pageSecurityHeaders(null))
        .type('text/plain; charset=utf-8')
        .send(await readFile(guide, 'utf8')),
  }),
]
