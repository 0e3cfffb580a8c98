import type { Billing } from '@quittance/billing'
import {
  Balance,
  id,
  listOf,
  NewPayout,
  optional,
  Payout,
  PayoutReceipt,
  PayoutStatus,
  says,
  text,
} from '@quittance/client/wire'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { ofDestinations, ofLedger } from '../wire/declared-codes.ts'
import { answerPage, page, record } from '../wire/lists.ts'
import { atMoment, momentQuery, readableAt } from '../wire/moment.ts'
import { command, type Route, route } from '../wire/route.ts'

export const payoutRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { payouts } = billing
  return [
    route({
      method: 'GET',
      path: '/balance',
      summary: 'Show what can be paid out, by asset',
      auth: keyed('payouts:read'),
      answer: t.readonlyArray(Balance),
      problems: ofLedger,
      handler: ({ principal }) => answerOf(payouts.balance(principal())),
    }),
    command(billing, {
      method: 'POST',
      path: '/payouts',
      summary: 'Withdraw money to a registered destination',
      auth: keyed('payouts:write'),
      body: NewPayout,
      answer: Payout,
      receipt: PayoutReceipt,
      problems: [
        'not_found',
        'invalid_metadata',
        'unsupported_asset',
        'malformed_amount',
        'amount_not_positive',
        'amount_too_large',
        'malformed_memo',
        'memo_not_registered',
        'insufficient_funds',
        'settlement_account_is_own',
        'too_many_requests',
        'destination_not_usable_yet',
        'destination_ambiguous',
        'perhaps_paid',
        ...ofDestinations,
        ...ofLedger,
      ],
      fields: { amount: 'amount', asset: 'asset_id', destination: 'destination' },
      handler: (context, { asset_id, amount, destination, memo, memo_type, metadata }, { principal }) => {
        const read = payouts.read({ assetId: asset_id, amount, memo, memoType: memo_type })
        if (E.isLeft(read)) return async () => read
        const mayChangeMemo = principal().kind === 'secret'
        return payouts.request(context, { ...read.right, destination, mayChangeMemo, metadata: metadata ?? {} })
      },
    }),
    route({
      method: 'GET',
      path: '/payouts',
      summary: 'List payouts',
      auth: keyed('payouts:read'),
      query: t.type({
        ...page,
        ...momentQuery,
        asset_id: says('Only those of an asset.', optional(text(100))),
        status: says('Only those with this status.', optional(PayoutStatus)),
      }),
      answer: listOf(Payout),
      handler: ({ principal, query: { asset_id, status, ...query } }) => {
        const { list, retrieve } = readableAt(billing, query).payouts
        return answerPage('/payouts', principal(), query, {
          list: (request) => list({ ...request, ...(status === null ? {} : { status }) }, asset_id),
          retrieve,
        })
      },
    }),
    record({
      path: '/payouts/:id',
      summary: 'Retrieve a payout',
      auth: keyed('payouts:read'),
      id: id('po_'),
      of: Payout,
      from: atMoment(billing, (then) => then.payouts),
    }),
    command(billing, {
      method: 'POST',
      path: '/payouts/:id/cancel',
      summary: 'Cancel a payout that is not on its way to the ledger',
      auth: keyed('payouts:write'),
      params: { id: id('po_') },
      answer: Payout,
      receipt: PayoutReceipt,
      problems: ['payout_not_cancelable', ...ofLedger],
      handler: (context, _, { param }) => payouts.cancel(context, param('id')),
    }),
  ]
}
