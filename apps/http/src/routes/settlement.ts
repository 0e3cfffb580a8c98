import type { Billing } from '@quittance/billing'
import { Settlement } from '@quittance/client/wire'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { type Route, route } from '../wire/route.ts'

/** Where the merchant is paid, in the key's environment. */
export const settlementRoutes = ({ settlementAccounts }: Billing): ReadonlyArray<Route> => [
  route({
    method: 'GET',
    path: '/settlement',
    summary: 'Tell what the settlement account lacks',
    auth: keyed('settlement:read'),
    answer: Settlement,
    problems: ['network_not_configured', 'ledger_unavailable'],
    handler: ({ principal }) => answerOf(settlementAccounts.show(principal())),
  }),
]
