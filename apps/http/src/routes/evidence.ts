import type { Billing } from '@quittance/billing'
import { Evidence, id, optional, says } from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyAlone } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { invalid } from '../wire/errors.ts'
import { type Route, route } from '../wire/route.ts'

const kinds = ['subscription', 'payment', 'customer'] as const

/** Evidence that others verify. It shows data of every kind, so no app token is admitted. */
export const evidenceRoutes = (billing: Pick<Billing, 'evidence'>): ReadonlyArray<Route> => [
  route({
    method: 'GET',
    path: '/evidence',
    summary: 'Prove to others what the log has recorded of a subscription, a payment or a customer',
    auth: keyAlone,
    query: t.type({
      subscription: says('The subscription that it is about.', optional(id('sub_'))),
      payment: says('The payment that it is about.', optional(id('pay_'))),
      customer: says('The customer that it is about.', optional(id('cus_'))),
    }),
    problems: ['not_found', 'log_rolled_back'],
    answer: Evidence,
    handler: async ({ principal, query }) => {
      const [named, ...others] = kinds.flatMap((kind) => {
        const of = query[kind]
        return of === null ? [] : [{ kind, of }]
      })
      if (named === undefined || others.length > 0)
        throw invalid('payment', 'Say what it is about: one of "subscription", "payment" and "customer"')
      const file = await answerOf(billing.evidence(principal(), named.kind, named.of))
      return { object: 'evidence' as const, file }
    },
  }),
]
