import type { Billing } from '@quittance/billing'
import { Balance, id, listOf, NewPayout, optional, Payout, PayoutStatus, says, text } from '@quittance/client/wire'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { ofDestinations, ofLedger } from '../wire/declared-codes.ts'
import { answerPage, page } from '../wire/lists.ts'
import { command, type Route, route } from '../wire/route.ts'

/** Money that merchants withdraw. */
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
      example: { asset_id: 'native', amount: 'all', destination: 'pdst_7nQe4Cw0XbDq1yLZs5Tt0u' },
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
        ...ofDestinations,
        ...ofLedger,
      ],
      fields: { amount: 'amount', asset: 'asset_id', destination: 'destination' },
      handler: (context, { asset_id, amount, destination, memo, memo_type, metadata }, { principal }) =>
        pipe(
          TE.fromEither(payouts.read({ assetId: asset_id, amount, memo, memoType: memo_type })),
          TE.chainW((read) =>
            payouts.request(context, {
              ...read,
              destination,
              mayChangeMemo: principal().kind === 'secret',
              metadata: metadata ?? {},
            }),
          ),
        ),
    }),
    route({
      method: 'GET',
      path: '/payouts',
      summary: 'List payouts',
      auth: keyed('payouts:read'),
      query: t.type({
        ...page,
        asset_id: says('Only those of an asset.', optional(text(100))),
        status: optional(PayoutStatus),
      }),
      answer: listOf(Payout),
      handler: ({ principal, query: { asset_id, status, ...query } }) =>
        answerPage('/payouts', principal(), query, {
          list: (request) => payouts.list({ ...request, ...(status === null ? {} : { status }) }, asset_id),
          retrieve: payouts.retrieve,
        }),
    }),
    route({
      method: 'GET',
      path: '/payouts/:id',
      summary: 'Retrieve a payout',
      auth: keyed('payouts:read'),
      params: { id: id('po_') },
      answer: Payout,
      handler: ({ param, principal }) => answerOf(payouts.retrieve(principal(), param('id'))),
    }),
    command(billing, {
      method: 'POST',
      path: '/payouts/:id/cancel',
      summary: 'Cancel a payout that is not on its way to the ledger',
      auth: keyed('payouts:write'),
      params: { id: id('po_') },
      answer: Payout,
      problems: ['payout_not_cancelable', ...ofLedger],
      handler: (context, _, { param }) => payouts.cancel(context, param('id')),
    }),
  ]
}
