import type { Billing } from '@quittance/billing'
import {
  assetId,
  DeletedPayoutSchedule,
  NewPayoutSchedule,
  PayoutSchedule,
  PayoutScheduleReceipt,
} from '@quittance/client/wire'
import { AssetId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { removed } from '../wire/call.ts'
import { momentQuery, readableAt } from '../wire/moment.ts'
import { command, type Route, route } from '../wire/route.ts'

/** Automatic payouts of assets. */
export const payoutScheduleRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { payouts } = billing
  const { schedules } = payouts
  return [
    command(billing, {
      method: 'PUT',
      path: '/payout_schedules',
      summary: 'Have an asset paid out by itself',
      auth: keyed('payouts:write'),
      body: NewPayoutSchedule,
      answer: PayoutSchedule,
      receipt: PayoutScheduleReceipt,
      problems: ['not_found', 'unsupported_asset', 'malformed_amount', 'amount_too_large', 'threshold_missing'],
      fields: { asset: 'asset_id', destination: 'destination' },
      handler: (context, wanted) => {
        const read = payouts.readSchedule(wanted)
        return E.isLeft(read) ? async () => read : schedules.set(context, read.right)
      },
    }),
    route({
      method: 'GET',
      path: '/payout_schedules',
      summary: 'List payout schedules',
      auth: keyed('payouts:read'),
      query: t.type(momentQuery),
      answer: t.readonlyArray(PayoutSchedule),
      handler: ({ principal, query }) => readableAt(billing, query).payouts.schedules.list(principal())(),
    }),
    command(billing, {
      method: 'DELETE',
      path: '/payout_schedules/:asset_id',
      summary: 'Have an asset paid out by itself no more',
      auth: keyed('payouts:write'),
      params: { asset_id: assetId },
      answer: DeletedPayoutSchedule,
      receipt: 'all',
      handler: (context, _, { param }) => {
        const asset_id = param('asset_id')
        if (!AssetId.is(asset_id)) return async () => E.left({ _tag: 'PayoutScheduleNotFound' })
        return removed(schedules.remove(context, asset_id), { object: 'payout_schedule', asset_id })
      },
    }),
  ]
}
