import { accountName, type Environment, Subscription, type UnixMs } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import {
  access,
  approvals,
  checkouts,
  creditBooks,
  creditTransactions,
  customers,
  exceptions,
  fundings,
  intents,
  type PageRequest,
  type PriceChangeProgress,
  payments,
  payoutDestinations,
  payoutSchedules,
  payouts,
  priceChangeSubscriptions,
  priceChanges,
  products,
  type ReadModel,
  type ReadModels,
  refunds,
  type Scope,
  subscriptions,
  type Table,
  webhooks,
} from '@quittance/projections'
import { everyRow } from '../../services/every-row.ts'
import { streamOfEntry } from './credit-entries.ts'
import { familiesAt } from './families-at.ts'
import { type RowsOf, tableAt } from './table-at.ts'

/** A log at a moment beside the log and the read models of today. */
export type Past = {
  readonly past: EventStore
  readonly log: Pick<EventStore, 'readStream'>
  readonly today: ReadModels
  /** The rows of the moment were made before; null if that is not known. */
  readonly madeBefore: (environment: Environment) => UnixMs | null
}

/**
 * The read models at a moment: those that answers to callers are made of. The others are those of today, such as the accounts
 * that are watched, whose rows never change once they are there.
 */
export const readModelsAt = ({ past, log, today, madeBefore }: Past): ReadModels => {
  const customerFamily = familiesAt(past, log, today.customerFamily)
  const at = <Row>(
    rows: Table<Row>,
    model: ReadModel<Row>,
    how: Partial<Omit<RowsOf<Row>, 'model'>> = {},
  ): Table<Row> => tableAt({ store: past, madeBefore }, rows, { model, keepsLookupKey: false, ...how })
  const ofCustomers = { idsOf: customerFamily.allOf }
  const accountsOf = async (account: string) => {
    const [customerId = '', productId = ''] = account.split('/')
    return (await customerFamily.allOf(customerId)).map((each) => accountName({ customerId: each, productId }))
  }
  const entries = at(today.priceChangeSubscriptions, priceChangeSubscriptions, {
    streamOf: async ({ row }) => `${Subscription.category}-${row.subscriptionId}`,
  })
  return {
    ...today,
    customerFamily,
    products: at(today.products, products),
    customers: at(today.customers, customers),
    checkouts: at(today.checkouts, checkouts, ofCustomers),
    payments: at(today.payments, payments, { ...ofCustomers, keepsLookupKey: true }),
    access: at(today.access, access, ofCustomers),
    subscriptions: at(today.subscriptions, subscriptions, ofCustomers),
    priceChanges: at(today.priceChanges, priceChanges),
    priceChangeSubscriptions: entries,
    priceChangeProgress: { of: progressIn(entries) },
    refunds: at(today.refunds, refunds),
    intents: at(today.intents, intents, { keepsLookupKey: true }),
    payouts: at(today.payouts, payouts),
    payoutSchedules: at(today.payoutSchedules, payoutSchedules),
    payoutDestinations: at(today.payoutDestinations, payoutDestinations),
    approvals: at(today.approvals, approvals, { keepsLookupKey: true }),
    exceptions: at(today.exceptions, exceptions),
    fundings: at(today.fundings, fundings),
    creditBooks: at(today.creditBooks, creditBooks),
    creditTransactions: at(today.creditTransactions, creditTransactions, {
      idsOf: accountsOf,
      streamOf: streamOfEntry(log, today),
    }),
    webhooks: at(today.webhooks, webhooks),
  }
}

const progressIn =
  (entries: ReadModels['priceChangeSubscriptions']): ReadModels['priceChangeProgress']['of'] =>
  async ({ merchantId, environment }: Scope, listedUnder) => {
    const counts: Record<PriceChangeProgress, number> = {
      waiting: 0,
      awaiting_consent: 0,
      changed: 0,
      kept: 0,
      canceled: 0,
      dropped: 0,
    }
    const ofChange = (request: PageRequest) => entries.page({ ...request, listedUnder })
    for await (const { row } of everyRow(ofChange, { merchantId, environment })) counts[row.progress] += 1
    return counts
  }
