import type { Connection } from './connection.ts'
import { moment } from './listing.ts'
import { approvalsOf } from './resources/approvals.ts'
import { checkoutsOf } from './resources/checkouts.ts'
import { creditsOf } from './resources/credits.ts'
import { customersOf } from './resources/customers.ts'
import { exceptionsOf } from './resources/exceptions.ts'
import { merchantOf } from './resources/merchant.ts'
import { paymentsOf } from './resources/payments.ts'
import { payoutsOf } from './resources/payouts.ts'
import { priceChangesOf } from './resources/price-changes.ts'
import { productsOf } from './resources/products.ts'
import { refundsOf } from './resources/refunds.ts'
import { subscriptionsOf } from './resources/subscriptions.ts'
import { webhooksOf } from './resources/webhooks.ts'

/** `at`: what was true then. `known_at`: what was known then. In ISO 8601; both inclusive, one of them or both. */
export type Moment = { readonly at?: string | Date; readonly known_at?: string | Date }

/** All that can be asked of another moment than now: the same questions, with the same answers. */
export const asOf =
  (connection: Connection) =>
  ({ at, known_at }: Moment) => {
    const asked = { at: moment(at), known_at: moment(known_at) }
    const then: Connection = {
      ...connection,
      ask: (call, options) => connection.ask({ ...call, query: { ...call.query, ...asked } }, options),
    }
    const customers = customersOf(then)
    const credits = creditsOf(then)
    const subscriptions = subscriptionsOf(then)
    const payouts = payoutsOf(then)
    const approvals = approvalsOf(then)
    const priceChanges = priceChangesOf(then)
    return {
      products: reads(productsOf(then)),
      customers: {
        ...reads(customers),
        access: (id: string, productId: string) => customers.access(id, productId),
      },
      checkouts: reads(checkoutsOf(then)),
      payments: reads(paymentsOf(then)),
      refunds: reads(refundsOf(then)),
      subscriptions: { retrieve: (id: string) => subscriptions.retrieve(id), list: subscriptions.list },
      credits: { retrieve: credits.retrieve, transactions: credits.transactions },
      exceptions: reads(exceptionsOf(then)),
      payouts: {
        ...reads(payouts),
        destinations: reads(payouts.destinations),
        schedules: { list: payouts.schedules.list },
      },
      approvals: { ...reads(approvals), limits: approvals.limits },
      priceChanges: { ...reads(priceChanges), subscriptions: priceChanges.subscriptions },
      webhooks: reads(webhooksOf(then)),
      merchant: { retrieve: merchantOf(then).retrieve },
    }
  }

const reads = <Retrieve, List>({
  retrieve,
  list,
}: {
  readonly retrieve: Retrieve
  readonly list: List
}): { readonly retrieve: Retrieve; readonly list: List } => ({ retrieve, list })
