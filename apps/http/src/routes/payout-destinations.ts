import type { Billing } from '@quittance/billing'
import {
  DeletedPayoutDestination,
  id,
  listOf,
  NewlyRegisteredDestination,
  NewPayoutDestination,
  PayoutDestination,
  WalletProof,
} from '@quittance/client/wire'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { keyAlone, keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { answerPage, page } from '../wire/lists.ts'
import { command, type Route, route } from '../wire/route.ts'

const params = { id: id('pdst_') }

/**
 * Where payouts may go to. An app token may withdraw to what is registered; only a secret key says what that is.
 */
export const payoutDestinationRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { payouts } = billing
  const { destinations } = payouts
  return [
    command(billing, {
      method: 'POST',
      path: '/payout_destinations',
      summary: 'Register an address to withdraw to, usable after 24 hours or once it is proven',
      auth: keyAlone,
      body: NewPayoutDestination,
      answer: NewlyRegisteredDestination,
      problems: ['malformed_address', 'malformed_memo', 'network_not_configured'],
      handler: (context, { address, memo, memo_type, label }) =>
        pipe(
          TE.fromEither(payouts.readMemo(memo, memo_type)),
          TE.chainW((read) => destinations.register(context, { address, memo: read, label })),
        ),
    }),
    command(billing, {
      method: 'POST',
      path: '/payout_destinations/:id/verify',
      summary: 'Prove a destination by its signed challenge, so that it can be used at once',
      auth: keyAlone,
      params,
      body: WalletProof,
      answer: PayoutDestination,
      problems: [
        'challenge_invalid',
        'challenge_not_signed',
        'challenge_spent',
        'network_not_configured',
        'ledger_unavailable',
      ],
      handler: (context, { transaction }, { param }) => destinations.verify(context, param('id'), transaction),
    }),
    route({
      method: 'GET',
      path: '/payout_destinations',
      summary: 'List payout destinations',
      auth: keyed('payouts:read'),
      query: t.type({ ...page }),
      answer: listOf(PayoutDestination),
      handler: ({ principal, query }) =>
        answerPage('/payout_destinations', principal(), query, {
          list: (request) => destinations.list(request),
          retrieve: destinations.retrieve,
        }),
    }),
    route({
      method: 'GET',
      path: '/payout_destinations/:id',
      summary: 'Retrieve a payout destination',
      auth: keyed('payouts:read'),
      params,
      answer: PayoutDestination,
      handler: ({ param, principal }) => answerOf(destinations.retrieve(principal(), param('id'))),
    }),
    command(billing, {
      method: 'DELETE',
      path: '/payout_destinations/:id',
      summary: 'Remove a payout destination',
      auth: keyAlone,
      params,
      answer: DeletedPayoutDestination,
      handler: (context, _, { param }) =>
        pipe(
          destinations.remove(context, param('id')),
          TE.map(() => ({ id: param('id'), object: 'payout_destination' as const, deleted: true as const })),
        ),
    }),
  ]
}
