import type { Billing } from '@quittance/billing'
import {
  Exception,
  ExceptionKind,
  ExceptionReceipt,
  ExceptionStatus,
  id,
  listOf,
  optional,
  Resolution,
  says,
} from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyed, mayNameAnyAddress } from '../wire/auth.ts'
import { ofDestinations, ofLedger } from '../wire/declared-codes.ts'
import { invalid } from '../wire/errors.ts'
import { answerPage, page, record } from '../wire/lists.ts'
import { atMoment, momentQuery, readableAt } from '../wire/moment.ts'
import { command, type Route, route } from '../wire/route.ts'

/** Exceptions and their resolution. */
export const exceptionRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { exceptions } = billing
  return [
    route({
      method: 'GET',
      path: '/exceptions',
      summary: 'List money that does not fit, open and resolved',
      auth: keyed('exceptions:read'),
      query: t.type({
        ...page,
        ...momentQuery,
        kind: says('Only those of a kind.', optional(ExceptionKind)),
        status: says('Only those with this status.', optional(ExceptionStatus)),
      }),
      answer: listOf(Exception),
      handler: ({ principal, query: { kind, status, ...query } }) => {
        const { list, retrieve } = readableAt(billing, query).exceptions
        return answerPage('/exceptions', principal(), query, {
          list: (request) => list({ ...request, ...(status === null ? {} : { status }) }, kind),
          retrieve,
        })
      },
    }),
    record({
      path: '/exceptions/:id',
      summary: 'Retrieve an exception',
      auth: keyed('exceptions:read'),
      id: id('exc_'),
      of: Exception,
      from: atMoment(billing, (then) => then.exceptions),
    }),
    command(billing, {
      method: 'POST',
      path: '/exceptions/:id/resolve',
      summary: 'Decide what becomes of money that does not fit',
      auth: keyed('exceptions:write'),
      params: { id: id('exc_') },
      body: Resolution,
      answer: Exception,
      receipt: ExceptionReceipt,
      problems: [
        'not_found',
        'exception_resolved',
        'exception_being_resolved',
        'perhaps_paid',
        'exception_held',
        'exception_not_applicable',
        'exception_not_returnable',
        'sender_unknown',
        'insufficient_funds',
        'credit_does_not_fit',
        'destination_not_allowed',
        ...ofDestinations,
        ...ofLedger,
        'rate_unavailable',
      ],
      fields: { checkout: 'checkout_id', destination: 'destination' },
      handler: (context, body, { param, principal }) =>
        exceptions.resolve(context, param('id'), wantedOf(body, mayNameAnyAddress(principal()))),
    }),
    command(billing, {
      method: 'POST',
      path: '/exceptions/:id/cancel_return',
      summary: 'Cancel a return that waits',
      auth: keyed('exceptions:write'),
      params: { id: id('exc_') },
      answer: Exception,
      receipt: ExceptionReceipt,
      problems: ['return_not_cancelable'],
      handler: (context, _, { param }) => exceptions.cancelReturn(context, param('id')),
    }),
  ]
}

/** Throws 400 for `apply` without a checkout. */
const wantedOf = (
  { action, destination, checkout_id, note }: t.TypeOf<typeof Resolution>,
  isAnyAddressAllowed: boolean,
) => {
  switch (action) {
    case 'refund':
      return { action, destination, mayNameAnyAddress: isAnyAddressAllowed, note }
    case 'apply':
      if (checkout_id === null) throw invalid('checkout_id', '"checkout_id" is required to apply money')
      return { action, checkoutId: checkout_id, note }
    case 'accept':
      return { action, note }
  }
}
