import type { Billing } from '@quittance/billing'
import {
  Approval,
  ApprovalDecision,
  ApprovalReceipt,
  ApprovalStatus,
  id,
  Limits,
  listOf,
  NewLimit,
  optional,
  says,
} from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyAlone, keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { answerPage, page, record } from '../wire/lists.ts'
import { atMoment, momentQuery, readableAt } from '../wire/moment.ts'
import { command, type Route, route } from '../wire/route.ts'

/** Limits of what may go out in a day, and what waits for a second person. Only a secret key sets a limit. */
export const approvalRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { approvals, limits } = billing
  const deciding = (decision: 'approve' | 'reject', summary: string): Route =>
    command(billing, {
      method: 'POST',
      path: `/approvals/:id/${decision}`,
      summary,
      auth: keyed('approvals:write'),
      params: { id: id('apr_') },
      body: ApprovalDecision,
      answer: Approval,
      receipt: ApprovalReceipt,
      problems: [
        'approval_ended',
        ...(decision === 'approve' ? (['approval_by_requester'] as const) : []),
        'merchant_not_ready',
      ],
      handler: (context, { note }, { param }) => approvals[decision](context, param('id'), note),
    })
  return [
    route({
      method: 'GET',
      path: '/limits',
      summary: 'Show what may go out in 24 hours without an approval',
      auth: keyed('approvals:read'),
      query: t.type(momentQuery),
      answer: Limits,
      handler: ({ principal, query }) => answerOf(readableAt(billing, query).limits.retrieve(principal())),
    }),
    command(billing, {
      method: 'PUT',
      path: '/limits',
      summary: 'Set a limit: a lower one counts at once, a higher one after 24 hours',
      auth: keyAlone,
      body: NewLimit,
      answer: Limits,
      receipt: 'all',
      fields: { key: 'scope' },
      problems: ['not_found'],
      handler: (context, { scope, amount }) =>
        limits.set(context, { setter: 'merchant', ...limits.read({ scope, amount }) }),
    }),
    route({
      method: 'GET',
      path: '/approvals',
      summary: 'List what waits, or has waited, for an approval',
      auth: keyed('approvals:read'),
      query: t.type({
        ...page,
        ...momentQuery,
        status: says('Only those with this status.', optional(ApprovalStatus)),
      }),
      answer: listOf(Approval),
      handler: ({ principal, query: { status, ...query } }) => {
        const { list, retrieve } = readableAt(billing, query).approvals
        return answerPage('/approvals', principal(), query, {
          list: (request) => list({ ...request, ...(status === null ? {} : { status }) }),
          retrieve,
        })
      },
    }),
    record({
      path: '/approvals/:id',
      summary: 'Retrieve an approval',
      auth: keyed('approvals:read'),
      id: id('apr_'),
      of: Approval,
      from: atMoment(billing, (then) => then.approvals),
    }),
    deciding('approve', 'Let go out what another key has requested'),
    deciding('reject', 'Have a refund or a payout fail that waits for an approval'),
  ]
}
