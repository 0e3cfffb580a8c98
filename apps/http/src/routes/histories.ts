import type { Billing, HistoryKind } from '@quittance/billing'
import type { KeyScope } from '@quittance/billing/scopes'
import { HistoryEntry, id, listOf, optional, says } from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { limit } from '../wire/lists.ts'
import { type Route, route } from '../wire/route.ts'

type Told = {
  readonly path: `/${string}/:id`
  readonly kind: HistoryKind
  readonly prefix: string
  readonly scope: KeyScope
}

const told: ReadonlyArray<Told> = [
  { path: '/approvals/:id', kind: 'approval', prefix: 'apr_', scope: 'approvals:read' },
  { path: '/checkout/:id', kind: 'checkout', prefix: 'chk_', scope: 'checkouts:read' },
  { path: '/customers/:id', kind: 'customer', prefix: 'cus_', scope: 'customers:read' },
  { path: '/exceptions/:id', kind: 'exception', prefix: 'exc_', scope: 'exceptions:read' },
  { path: '/payment/:id', kind: 'payment', prefix: 'pay_', scope: 'payments:read' },
  { path: '/payments/:id', kind: 'payment', prefix: 'pay_', scope: 'payments:read' },
  { path: '/payout_destinations/:id', kind: 'payout_destination', prefix: 'pdst_', scope: 'payouts:read' },
  { path: '/payouts/:id', kind: 'payout', prefix: 'po_', scope: 'payouts:read' },
  { path: '/price_changes/:id', kind: 'price_change', prefix: 'prc_', scope: 'products:read' },
  { path: '/product/:id', kind: 'product', prefix: 'prod_', scope: 'products:read' },
  { path: '/products/:id', kind: 'product', prefix: 'prod_', scope: 'products:read' },
  { path: '/refunds/:id', kind: 'refund', prefix: 'rf_', scope: 'refunds:read' },
  { path: '/webhooks/:id', kind: 'webhook', prefix: 'wh_', scope: 'webhooks:read' },
]

const query = t.type({
  limit,
  starting_after: says('The id of the entry after which to begin.', optional(t.string)),
})
const summary = (of: string): string => `What happened to a ${of.replaceAll('_', ' ')}, and why, oldest first`
const answer = listOf(HistoryEntry)

/** The history of each resource, page by page, in the order of the log. */
export const historyRoutes = (billing: Billing): ReadonlyArray<Route> => {
  type Asked = Parameters<Parameters<typeof route>[0]['handler']>[0]
  const page = async (
    { principal, reads }: Pick<Asked, 'principal' | 'reads'>,
    { limit: most, starting_after: startingAfter }: t.TypeOf<typeof query>,
    of: { readonly kind: HistoryKind; readonly id: string },
    url: string,
  ) => {
    const history = billing.histories.of(principal(), of, { limit: most, startingAfter }, reads())
    const { resources, hasMore } = await answerOf(history)
    return { object: 'list' as const, data: resources, has_more: hasMore, url }
  }
  return [
    ...told.map(({ path, kind, prefix, scope }) =>
      route({
        method: 'GET',
        path: `${path}/history` as const,
        summary: summary(kind),
        auth: keyed(scope),
        params: { id: id(prefix) },
        query,
        answer,
        handler: (request) => {
          const of = { kind, id: request.param('id') }
          return page(request, request.query, of, `${path.replace(':id', of.id)}/history`)
        },
      }),
    ),
    route({
      method: 'GET',
      path: '/subscriptions/:id/timeline',
      summary: 'What happened to a subscription and all that belongs to it, and why, oldest first',
      auth: keyed('subscriptions:read'),
      params: { id: id('sub_') },
      query,
      answer,
      handler: (request) => {
        const of = { kind: 'subscription' as const, id: request.param('id') }
        return page(request, request.query, of, `/subscriptions/${of.id}/timeline`)
      },
    }),
    route({
      method: 'GET',
      path: '/customers/:id/credits/:product/history',
      summary: "What happened to a customer's credits, and why, oldest first",
      auth: keyed('customers:read'),
      params: { id: id('cus_'), product: id('prod_') },
      query,
      answer,
      handler: (request) => {
        const [customer, product] = [request.param('id'), request.param('product')]
        const of = { kind: 'credits' as const, id: `${customer}/${product}` }
        return page(request, request.query, of, `/customers/${customer}/credits/${product}/history`)
      },
    }),
    route({
      method: 'GET',
      path: '/merchant/history',
      summary: 'What happened to the merchant, and why, oldest first',
      auth: keyed('merchant:read'),
      query,
      answer,
      handler: (request) => {
        const of = { kind: 'merchant' as const, id: request.principal().merchantId }
        return page(request, request.query, of, '/merchant/history')
      },
    }),
  ]
}
