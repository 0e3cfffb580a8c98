import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  Checkout,
  Customer,
  type Environment,
  InvoiceSession,
  Payment,
  type RecordedEvent,
  Refund,
  Subscription,
} from '@quittance/domain'
import type { Found, PageRequest, Scope, Table } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type AccessResult, access } from '../../access/access.ts'
import type { CustomerNotFound } from '../../features/customers/living.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type CheckoutResource, checkoutResource } from '../../resources/checkout.ts'
import { type CustomerResource, customerResource } from '../../resources/customer.ts'
import { timestamp } from '../../resources/fields.ts'
import { type PaymentResource, paymentResource } from '../../resources/payment.ts'
import { type RefundResource, refundResource } from '../../resources/refund.ts'
import type { Family, Reads } from '../../resources/scopes.ts'
import { type SubscriptionResource, subscriptionResource } from '../../resources/subscription.ts'
import { visiblePayment } from '../../resources/visible.ts'
import { everyRow } from '../../services/every-row.ts'
import type { PortalServices } from '../services.ts'
import { type ExportedCredits, exportedCredits } from './credits.ts'
import { type CustomerErased, type Exportable, exportable } from './exportable.ts'
import { type ExportedFact, historyEntry } from './history.ts'
import { type ExportedInvoice, invoicesIn, invoicesOf } from './invoices.ts'
import { leftOut } from './left-out.ts'
import { type ExportedMandate, mandatesIn } from './mandates.ts'
import { type ExportedException, incomingKeys, misfitsAt } from './misfits.ts'

type ExportedAccess = AccessResult & { readonly product_id: string }

/** Everything that is kept about a customer. A part that the reader may not read is null. */
export type CustomerExport = {
  readonly object: 'customer_export'
  readonly exported_at: string
  readonly environment: Environment
  readonly customer: CustomerResource
  /** Those that were merged into this one: what follows is of all. */
  readonly merged_customers: ReadonlyArray<CustomerResource>
  readonly access: ReadonlyArray<ExportedAccess> | null
  readonly subscriptions: ReadonlyArray<SubscriptionResource> | null
  readonly mandates: ReadonlyArray<ExportedMandate> | null
  readonly checkouts: ReadonlyArray<CheckoutResource> | null
  readonly invoices: ReadonlyArray<ExportedInvoice> | null
  readonly payments: ReadonlyArray<PaymentResource> | null
  readonly refunds: ReadonlyArray<RefundResource> | null
  readonly exceptions: ReadonlyArray<ExportedException> | null
  readonly credits: ReadonlyArray<ExportedCredits>
  readonly history: ReadonlyArray<ExportedFact>
  readonly left_out: typeof leftOut
}

export type ExportFailure = StoreUnavailable | CustomerNotFound | CustomerErased

/**
 * Exports a customer for a reader, with all who were merged into it; by the id of one of these, too. `mostEntries` bounds the entries that are shown of the books of each metered product.
 */
export type ExportCustomer = (
  scope: Scope,
  customerId: string,
  reads: Reads,
  mostEntries: number,
) => TE.TaskEither<ExportFailure, CustomerExport>

export const exportCustomer =
  (services: PortalServices): ExportCustomer =>
  (scope, customerId, reads, mostEntries) =>
  async () => {
    const { readModels, vault, clock, cursors, publicUrl } = services
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const [remaining = customerId, ...others] = await readModels.customerFamily.allOf(customerId)
    const customer = await exportable(services, scope, remaining)
    if (E.isLeft(customer)) return customer
    const merged: Array<Exportable> = []
    for (const id of others) {
      const found = await exportable(services, scope, id)
      if (E.isRight(found)) merged.push(found.right)
      // Of one that was erased by itself there is nothing to show.
      else if (found.left._tag !== 'CustomerErased') return found
    }
    const rowsOf = <Row>(table: Table<Row>, listedUnder: string): AsyncIterable<Found<Row>> =>
      everyRow((request: PageRequest) => table.page({ ...request, listedUnder }), scope)
    const checkouts = await inTurns(rowsOf(readModels.checkouts, customerId), async (each) => [each])
    const payments = await inTurns(rowsOf(readModels.payments, customerId), async (each) => [each])
    const refunded = payments.filter(({ row }) => row.status === 'confirmed' && row.refunds.length > 0)
    const refunds = await inTurns(refunded, async ({ id }) => await Array.fromAsync(rowsOf(readModels.refunds, id)))
    const subscriptions = await inTurns(rowsOf(readModels.subscriptions, customerId), async (each) => [each])

    const ofSubscriptions = await eventsOf(services, namesOf(Subscription.category, subscriptions))
    if (E.isLeft(ofSubscriptions)) return ofSubscriptions
    const ofInvoices = await eventsOf(services, namesOf(InvoiceSession.category, invoicesIn(ofSubscriptions.right)))
    if (E.isLeft(ofInvoices)) return ofInvoices
    const ofSales = await eventsOf(services, [
      ...namesOf(Checkout.category, checkouts),
      ...namesOf(Payment.category, payments),
      ...namesOf(Refund.category, refunds),
    ])
    if (E.isLeft(ofSales)) return ofSales
    const ofCustomers = [customer.right, ...merged].flatMap((each) => each.events)
    const events = [...ofCustomers, ...ofSubscriptions.right, ...ofInvoices.right, ...ofSales.right]

    const productIds = new Set([
      ...payments.flatMap(({ row: { details } }) => (details.productId === null ? [] : [details.productId])),
      ...subscriptions.map(({ row: { terms } }) => terms.productId),
    ])
    const entitled: Array<ExportedAccess> = []
    for (const productId of productIds) {
      const found = await access(services)(scope, customerId, productId)()
      if (E.isRight(found)) entitled.push({ product_id: productId, ...found.right })
      else if (found.left._tag !== 'ProductNotFound') return E.left(found.left)
    }
    const credits = await exportedCredits(services, scope, customerId, productIds, mostEntries)
    if (E.isLeft(credits)) return credits

    const now = clock.now(scope.environment)
    const showPayment = paymentResource(services, await cursors.closedAt(scope.environment))
    const paid = await inTurns(payments, async (each) => [visiblePayment(reads, await showPayment(each))])
    const keys = new Set(await inTurns(events, incomingKeys))
    const exceptions = await inTurns(keys, (key) => misfitsAt(readModels, scope, key))
    // Sealed data is opened with the key of the customer under whose id it was recorded.
    const owners = new Map<string, string | null>([
      ...checkouts.map(({ id, row }) => [`${Checkout.category}-${id}`, row.customerId] as const),
      ...payments.map(({ id, row }) => [`${Payment.category}-${id}`, row.details.customerId] as const),
      ...merged.map(({ found: { id } }) => [`${Customer.category}-${id}`, id] as const),
    ])
    const ownerOf = ({ stream }: RecordedEvent) => owners.get(stream) ?? remaining
    const history = await inTurns(events, historyEntry(vault, ownerOf, reads))
    const showCustomer = ({ found }: Exportable) => customerResource(vault)(found, readModels.customerFamily)
    const ifReads = <A>(family: Family, part: ReadonlyArray<A>): ReadonlyArray<A> | null =>
      reads(family) ? part : null
    return E.right({
      object: 'customer_export',
      exported_at: timestamp(now),
      environment: scope.environment,
      customer: await showCustomer(customer.right),
      merged_customers: await Promise.all(merged.map(showCustomer)),
      access: ifReads('access', entitled),
      subscriptions: ifReads('subscriptions', subscriptions.map(subscriptionResource(publicUrl(), now))),
      mandates: ifReads('subscriptions', mandatesIn(ofSubscriptions.right)),
      invoices: ifReads('subscriptions', invoicesOf(ofSubscriptions.right, ofInvoices.right)),
      checkouts: ifReads(
        'checkouts',
        checkouts.map((each) => checkoutResource(publicUrl())(each)),
      ),
      payments: ifReads('payments', paid),
      refunds: ifReads(
        'refunds',
        refunds.map((each) => refundResource(each)),
      ),
      exceptions: ifReads('exceptions', exceptions),
      credits: credits.right,
      history,
      left_out: leftOut,
    })
  }

const atOnce = 50

/** Goes through items in pieces and serves others in between: a customer may have thousands of payments. */
const inTurns = async <A, B>(
  items: Iterable<A> | AsyncIterable<A>,
  work: (item: A) => Promise<ReadonlyArray<B>>,
): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  let done = 0
  for await (const item of items) {
    if (++done % atOnce === 0) await nextTurn()
    results.push(...(await work(item)))
  }
  return results
}

const namesOf = (category: string, each: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  each.map(({ id }) => `${category}-${id}`)

const eventsOf = async (
  { store }: Pick<PortalServices, 'store'>,
  streams: ReadonlyArray<string>,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<RecordedEvent>>> => {
  const events: Array<RecordedEvent> = []
  for (const stream of streams) {
    await nextTurn()
    const slice = await store.readStream(stream)()
    if (E.isLeft(slice)) return slice
    events.push(...slice.right.events)
  }
  return E.right(events)
}
