/** A platform tests its read model and the domain's rules with the builders of the domain, without a log. */
import { deepEqual } from 'node:assert/strict'
import { it } from 'node:test'
import { Checkout, Payment, PaymentId, Stroops, Subscription } from '@quittance/domain'
import {
  confirmedPayment,
  exampleConfirmation,
  exampleId,
  examplePayment,
  exampleSale,
  exampleSubscription,
  exampleSubscriptionSale,
  exampleTerms,
  recordedEvents,
  right,
  scenario,
  settledSale,
  shown,
  start,
} from '@quittance/domain/testing'
import { decodedBy, foldRow, type ReadModel } from '@quittance/projections'
import * as O from 'fp-ts/lib/Option.js'

const paymentEvent = decodedBy(Payment)
const takings: ReadModel<Stroops> = {
  name: 'takings',
  version: 1,
  category: Payment.category,
  row: Stroops,
  fold: (row, recorded) => {
    const event = paymentEvent(recorded)
    return event.type === 'PaymentConfirmed' ? O.some(event.data.amount) : row
  },
  columns: () => ({}),
}
const paymentId = exampleId(PaymentId, 1)

it('a read model folds the history of a payment', () => {
  const history = recordedEvents(Payment, paymentId, confirmedPayment, { merchantId: 'mer_7' })
  deepEqual(foldRow(takings, history), O.some(exampleConfirmation.amount))
  deepEqual([...new Set(history.map(({ metadata }) => metadata.merchantId))], ['mer_7'])
  deepEqual(right(Payment.events.decodeEvent(recordedEvents(Payment, paymentId, confirmedPayment)[0] ?? fail())), {
    type: 'PaymentOpened',
    data: examplePayment,
  })
})

it('a payment that is confirmed stays confirmed', () => {
  const { amount: _, transactionHash, ...confirmation } = exampleConfirmation
  const { given } = scenario(Payment.decider)
  given(confirmedPayment)
    .when({ type: 'ConfirmPayment', transactionHash, ...confirmation })
    .then([])
})

it('a checkout is created once', () => {
  const { given } = scenario(Checkout.decider)
  const create = { type: 'CreateCheckout', at: start, ...exampleSale } as const
  given([])
    .when(create)
    .then([{ type: 'CheckoutCreated', data: exampleSale }])
  given(settledSale).when(create).then([])
})

it('a subscription begins as its checkout sold it', () => {
  const details = exampleSubscription(start, { trialDays: 7 })
  deepEqual([details.terms, exampleSubscriptionSale.productId], [exampleTerms, exampleTerms.productId])
  deepEqual(Subscription.category, 'subscription')
  deepEqual(shown({ cap: 7n }), '{"cap":"7n"}')
})

const fail = (): never => {
  throw new Error('there is no event')
}
