import type { Billing } from '@quittance/billing'
import { ChangedSettlement, Settlement } from '@quittance/client/wire'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { command, type Route, route } from '../wire/route.ts'

/** Where the merchant is paid, in the key's environment. */
export const settlementRoutes = (billing: Billing): ReadonlyArray<Route> => [
  command(billing, {
    method: 'PUT',
    path: '/settlement',
    summary: 'Change the accepted assets',
    auth: keyed('settlement:write'),
    body: ChangedSettlement,
    example: { assets: ['native'], default_asset_id: 'native' },
    answer: Settlement,
    fields: { asset: 'assets' },
    problems: ['unsupported_asset', 'network_not_configured', 'ledger_unavailable'],
    handler: (context, { assets, default_asset_id: defaultAssetId }) =>
      billing.settlementAccounts.accept(context, { assets, defaultAssetId }),
  }),
  route({
    method: 'GET',
    path: '/settlement',
    summary: 'Tell what the settlement account lacks',
    auth: keyed('settlement:read'),
    answer: Settlement,
    problems: ['network_not_configured', 'ledger_unavailable'],
    handler: ({ principal }) => answerOf(billing.settlementAccounts.show(principal())),
  }),
]
