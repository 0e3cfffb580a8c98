import { fold } from '@quittance/billing/testing/internals'
import { done } from '@quittance/billing/testing/outcomes'
import {
  Customer,
  InvoiceSession,
  liveRefund,
  Product,
  type ProductId,
  type SubscriptionTerms,
} from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import type { Invariant, Settled } from './invariant.ts'
import { type SubscriptionHistory, subscriptionHistories } from './subscription-histories.ts'

const decodeProduct = decodedBy(Product)

/** A product's prices in cents by price version. */
const pricesOf = async ({ services }: Settled, id: ProductId): Promise<ReadonlyMap<number, bigint>> => {
  const { events } = await done(services.store.readStream(`${Product.category}-${id}`))
  return new Map(
    events.map(decodeProduct).flatMap(({ type, data }): Array<[number, bigint]> => {
      if (type === 'ProductCreated') return [[1, data.price.cents]]
      return type === 'ProductRepriced' ? [[data.priceVersion, data.cents]] : []
    }),
  )
}

/** Stroops of USDC in a cent. */
const stroopsOfCent = 100_000n

/** Charges with another price or mandate than the one in force; `agreed` lists the terms over time. */
const against = ({ id, state: { details }, events }: SubscriptionHistory) => {
  const agreed: Array<SubscriptionTerms> = [details.terms]
  const wrong: Array<string> = []
  let { mandateId } = details.mandate
  for (const { type, data } of events)
    switch (type) {
      case 'ProductSwapped':
        agreed.push(data.terms)
        break
      case 'MandateReplaced':
        mandateId = data.mandate.mandateId
        break
      case 'ChargeAttempted': {
        const cents = agreed.at(-1)?.price.cents ?? 0n
        if (data.price.cents !== cents || data.amount !== cents * stroopsOfCent)
          wrong.push(`${id}: ${data.paymentId} is for ${data.amount}, not for ${cents} cents`)
        if (data.mandateId !== mandateId) wrong.push(`${id}: ${data.paymentId} uses a mandate that is not in force`)
        break
      }
    }
  return { agreed, wrong }
}

const deletedAt = async ({ services }: Settled, customerId: string): Promise<bigint | null> => {
  const { events } = await done(services.store.readStream(`${Customer.category}-${customerId}`))
  return events.find(({ type }) => type === 'CustomerDeleted')?.position ?? null
}

export const agreementRules: ReadonlyArray<Invariant> = [
  {
    rule: 'each charge uses the price and the mandate in force at its attempt, and the product has had that price',
    broken: async (settled) => {
      const wrong: Array<string> = []
      for (const lived of await subscriptionHistories(settled)) {
        const { agreed, wrong: charged } = against(lived)
        wrong.push(...charged)
        for (const { productId, priceVersion, price } of agreed)
          if ((await pricesOf(settled, productId)).get(priceVersion) !== price.cents)
            wrong.push(`${lived.id}: ${price.cents} is not price ${priceVersion} of ${productId}`)
      }
      return wrong
    },
  },
  {
    rule: 'an invoice is paid at most once by hand, its subscription knows the payment, and only that payment completes it',
    broken: async (settled) => {
      const { services } = settled
      const wrong: Array<string> = []
      for (const { id, state } of await subscriptionHistories(settled)) {
        const payments = (await services.readModels.payments.withKey(id)).filter(
          ({ row }) => row.status === 'confirmed',
        )
        for (const { invoice, payments: counted } of state.invoices) {
          const { events } = await done(services.store.readStream(`${InvoiceSession.category}-${invoice.invoiceId}`))
          const { status } = fold(InvoiceSession, events)
          const own = payments.filter(({ row }) => row.details.invoiceId === invoice.invoiceId).map((each) => each.id)
          const recorded = own.filter((each) =>
            [...counted, ...state.unappliedPayments].some((known) => known === each),
          )
          if (own.length > 1 || recorded.length !== own.length || (status === 'completed') !== (own.length === 1))
            wrong.push(
              `${invoice.invoiceId} is ${status} with ${own.length} payments, of which ${recorded.length} are known`,
            )
        }
      }
      return wrong
    },
  },
  {
    rule: 'unapplied payments of a subscription are returned: by an earlier refund, or else by exceptions',
    broken: async (settled) => {
      const { payments, exceptions } = settled.services.readModels
      const back = new Set<string | null>(
        (await exceptions.all()).flatMap(({ row: { details } }) =>
          details.kind === 'paid_twice' ? [details.paymentId] : [],
        ),
      )
      const wrong: Array<string> = []
      for (const { id, state } of await subscriptionHistories(settled))
        for (const paymentId of state.unappliedPayments) {
          const payment = (await payments.withId(paymentId))?.row
          const isRefunded = payment?.status === 'confirmed' && liveRefund(payment)?.status === 'refunded'
          if (!isRefunded && !back.has(paymentId)) wrong.push(`${id} never returns the unapplied ${paymentId}`)
        }
      return wrong
    },
  },
  {
    rule: 'a deleted customer has no running subscription and is not charged again',
    broken: async (settled) => {
      const wrong: Array<string> = []
      for (const { id, state, events, positions } of await subscriptionHistories(settled)) {
        const deleted = await deletedAt(settled, state.details.customerId)
        if (deleted === null) continue
        const after = events.filter((_, index) => (positions[index] ?? 0n) > deleted)
        if (state.lifecycle._tag !== 'canceled' || after.some(({ type }) => type === 'ChargeAttempted'))
          wrong.push(`${id} of ${state.details.customerId} is ${state.status}, after ${after.map(({ type }) => type)}`)
      }
      return wrong
    },
  },
  {
    rule: 'a replaced mandate has ended on the ledger',
    broken: async (settled) =>
      (await subscriptionHistories(settled)).flatMap(({ id, state: { retired } }) =>
        retired.map(({ mandateId, sent }) => `${id}: ${mandateId} is still active after ${sent} cancellations`),
      ),
  },
]
