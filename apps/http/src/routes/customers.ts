import type { Billing } from '@quittance/billing'
import {
  AccessResult,
  ChangedCustomer,
  Customer,
  CustomerExport,
  CustomerMerge,
  CustomerMergeRequest,
  CustomerReceipt,
  email,
  id,
  listOf,
  NewCustomers,
  optional,
  phone,
  says,
} from '@quittance/client/wire'
import { asText } from '@quittance/domain'
import type { PageRequest } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { answerPage, page, record } from '../wire/lists.ts'
import { atMoment, momentQuery, readableAt } from '../wire/moment.ts'
import { command, type Route, route } from '../wire/route.ts'

const params = { id: id('cus_') }

/** What usage has consumed may be many more: they have a list of their own. */
const mostCreditEntries = 1_000

/** A plus that was not encoded arrives as a space, and a number without it would be another one. */
const withPlus = (phone: string): string => phone.replace(/^ /, '+')

export const customerRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { customers } = billing
  return [
    command(billing, {
      method: 'POST',
      path: '/customers',
      summary: 'Create a customer, or several',
      auth: keyed('customers:write'),
      body: NewCustomers,
      answer: t.union([Customer, t.readonlyArray(Customer)]),
      receipt: CustomerReceipt,
      problems: ['email_taken', 'email_repeated'],
      handler:
        (context, { all, isMany }) =>
        async () => {
          const created = await customers.createAll(context, all)()
          if (E.isLeft(created)) return created
          const [one] = created.right
          return isMany || one === undefined ? created : E.right(one)
        },
    }),
    route({
      method: 'GET',
      path: '/customers',
      summary: 'List customers',
      auth: keyed('customers:read'),
      query: t.type({
        email: says('The one with this email, in upper or lower case.', optional(email)),
        phone: says('Those with this phone number, whatever stands between its digits.', optional(phone)),
        ...page,
        ...momentQuery,
      }),
      answer: listOf(Customer),
      handler: ({ principal, query: { email, phone, ...query } }) => {
        const { find, retrieve } = readableAt(billing, query).customers
        const list = (request: PageRequest) => () => answerOf(find(request, { email, phone: phone && withPlus(phone) }))
        return answerPage('/customers', principal(), query, { list, retrieve })
      },
    }),
    record({
      path: '/customers/:id',
      summary: 'Retrieve a customer',
      auth: keyed('customers:read'),
      id: params.id,
      of: Customer,
      from: atMoment(billing, (then) => then.customers),
    }),
    route({
      method: 'GET',
      path: '/customers/:id/export',
      summary: 'Export everything that is kept about a customer',
      auth: keyed('customers:read'),
      params,
      problems: ['customer_erased'],
      answer: CustomerExport,
      handler: ({ param, principal, reads }) =>
        answerOf(billing.exportCustomer(principal(), param('id'), reads(), mostCreditEntries)),
    }),
    command(billing, {
      method: 'PUT',
      path: '/customers/:id',
      summary: 'Change a customer',
      auth: keyed('customers:write'),
      params,
      body: ChangedCustomer,
      answer: Customer,
      receipt: CustomerReceipt,
      problems: ['email_taken'],
      handler: (context, { metadata, ...fields }, { param }) =>
        customers.update(context, param('id'), { ...fields, metadata: metadata ?? undefined }),
    }),
    command(billing, {
      method: 'DELETE',
      path: '/customers/:id',
      summary: 'Delete a customer: personal data is erased, the history of money stays',
      auth: keyed('customers:write'),
      params,
      answer: t.null,
      receipt: 'all',
      problems: ['customer_merged'],
      handler:
        (context, _, { param }) =>
        async () =>
          E.map(() => null)(await customers.remove(context, param('id'))()),
    }),
    command(billing, {
      method: 'POST',
      path: '/customers/:id/merge',
      summary: 'Merge a customer into another one, for ever',
      auth: keyed('customers:write'),
      params,
      body: CustomerMergeRequest,
      answer: CustomerMerge,
      receipt: 'all',
      problems: ['customer_merged', 'same_customer', 'subscribed_twice'],
      handler: (context, { into, reason }, { param }) =>
        customers.merge(context, { from: param('id'), into, reason, by: asText(context.actor) }),
    }),
    route({
      method: 'GET',
      path: '/customers/:id/access/:product',
      summary: 'Tell whether a customer is entitled to a product',
      auth: keyed('access:read'),
      params: { ...params, product: id('prod_') },
      query: t.type(momentQuery),
      answer: AccessResult,
      isBare: true,
      handler: ({ param, principal, query }) =>
        answerOf(readableAt(billing, query).access(principal(), param('id'), param('product'))),
    }),
  ]
}
