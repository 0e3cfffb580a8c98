import type { Billing } from '@quittance/billing'
import {
  DeletedPayoutDestination,
  id,
  NewlyRegisteredDestination,
  NewPayoutDestination,
  PayoutDestination,
  WalletProof,
} from '@quittance/client/wire'
import * as E from 'fp-ts/lib/Either.js'
import { keyAlone, keyed } from '../wire/auth.ts'
import { removed } from '../wire/call.ts'
import { ofProofs } from '../wire/declared-codes.ts'
import { list, record } from '../wire/lists.ts'
import { atMoment } from '../wire/moment.ts'
import { command, type Route } from '../wire/route.ts'

const params = { id: id('pdst_') }

/** Registered destinations of payouts. An app token may pay out to them; only a secret key may register them. */
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
      receipt: 'all',
      problems: ['malformed_address', 'malformed_memo', 'network_not_configured'],
      handler: (context, { address, memo, memo_type, label }) => {
        const read = payouts.readMemo(memo, memo_type)
        if (E.isLeft(read)) return async () => read
        return destinations.register(context, { address, memo: read.right, label })
      },
    }),
    command(billing, {
      method: 'POST',
      path: '/payout_destinations/:id/verify',
      summary: 'Prove a destination by its signed challenge, so that it can be used at once',
      auth: keyAlone,
      params,
      body: WalletProof,
      answer: PayoutDestination,
      receipt: 'all',
      problems: [...ofProofs, 'network_not_configured', 'ledger_unavailable'],
      handler: (context, { transaction }, { param }) => destinations.verify(context, param('id'), transaction),
    }),
    list({
      path: '/payout_destinations',
      summary: 'List payout destinations',
      auth: keyed('payouts:read'),
      of: PayoutDestination,
      from: atMoment(billing, (then) => then.payouts.destinations),
    }),
    record({
      path: '/payout_destinations/:id',
      summary: 'Retrieve a payout destination',
      auth: keyed('payouts:read'),
      id: params.id,
      of: PayoutDestination,
      from: atMoment(billing, (then) => then.payouts.destinations),
    }),
    command(billing, {
      method: 'DELETE',
      path: '/payout_destinations/:id',
      summary: 'Remove a payout destination',
      auth: keyAlone,
      params,
      answer: DeletedPayoutDestination,
      receipt: 'all',
      handler: (context, _, { param }) =>
        removed(destinations.remove(context, param('id')), { id: param('id'), object: 'payout_destination' }),
    }),
  ]
}
