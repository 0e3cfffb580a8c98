import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { PaymentCommand } from './commands.ts'
import { decide } from './decide.ts'
import { PaymentEvent } from './events.ts'
import type { PaymentRejection } from './rejections.ts'
import { evolve, initial, type PaymentState } from './state.ts'

/** The rules of a payment, and how its events are written and read. */
export const Payment: Aggregate<PaymentCommand, PaymentEvent, PaymentState, PaymentRejection> = {
  category: 'payment',
  decider: { initial, evolve, decide },
  events: eventFormat(PaymentEvent),
}

export type { PaymentCommand } from './commands.ts'
export { PaymentConfirmation, PaymentDetails, type PaymentEvent } from './events.ts'
export type { PaymentRejection } from './rejections.ts'
export { liveRefund, PaymentRecord, type PaymentState } from './state.ts'
