import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { CheckoutCommand } from './commands.ts'
import { decide } from './decide.ts'
import { CheckoutEvent } from './events.ts'
import type { CheckoutRejection } from './rejections.ts'
import { type CheckoutState, evolve, initial } from './state.ts'

/** The rules of a checkout, and how its events are written and read. */
export const Checkout: Aggregate<CheckoutCommand, CheckoutEvent, CheckoutState, CheckoutRejection> = {
  category: 'checkout',
  decider: { initial, evolve, decide },
  events: eventFormat(CheckoutEvent),
}

export { offerOf } from './accept-enrolment.ts'
export type { CheckoutCommand } from './commands.ts'
export {
  Enrolment,
  type EnrolmentRefusal,
  MandateOffer,
  type SeenMandate,
  SubscriptionPlan,
} from './enrolment.ts'
export {
  CheckoutDetails,
  type CheckoutEvent,
  CheckoutFailureReason,
  type CheckoutPrice,
  InvoiceEnd,
  SetAsideReason,
} from './events.ts'
export { type NewQuote, Quote, quoteLifetimeMs, Rate } from './quote.ts'
export type { CheckoutRejection } from './rejections.ts'
export {
  amountDue,
  CheckoutRecord,
  type CheckoutState,
  currentQuote,
  hasSeen,
  type Session,
  type SubmittedTransaction,
  settlementOf,
  shownStatus,
  transactionsInFlight,
} from './state.ts'
export { toRecord } from './to-record.ts'
