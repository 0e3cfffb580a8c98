/**
 * Builders for the tests of platforms: examples, recorded events, and given-when-then for deciders.
 *
 * @module @quittance/domain/testing
 */

export { accountOf, contractOf } from './account.ts'
export {
  sale as exampleSale,
  settled as settledSale,
  subscriptionSale as exampleSubscriptionSale,
} from './checkout-examples.ts'
export {
  decoded,
  exampleCredit,
  exampleId,
  hashOf,
  merchantAccount,
  native,
  payerAccount,
  start,
  usdc,
} from './examples.ts'
export { right, shown } from './outcomes.ts'
export { exampleCharge, examplePayout, indexOf } from './outgoing-examples.ts'
export { confirmedPayment, exampleConfirmation, examplePayment } from './payment-examples.ts'
export { recordedEvents } from './recorded-events.ts'
export { type Outcome, scenario } from './scenario.ts'
export { begun as exampleSubscription, monthly as exampleTerms } from './subscription-examples.ts'
