import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { IntentCommand } from './commands.ts'
import { decide } from './decide.ts'
import { IntentEvent } from './events.ts'
import type { IntentRejection } from './rejections.ts'
import { evolve, type IntentState, initial } from './state.ts'

/** A movement on the ledger that the service wants, from the wish to its end. */
export const Intent: Aggregate<IntentCommand, IntentEvent, IntentState, IntentRejection> = {
  category: 'intent',
  decider: { initial, evolve, decide },
  events: eventFormat(IntentEvent),
}

export type { IntentCommand } from './commands.ts'
export {
  ChargeAction,
  DetachReason,
  GiveUpReason,
  IntentAction,
  IntentClass,
  IntentDetails,
  type IntentEvent,
  KeyRotationAction,
  PaymentAction,
  RecoverySignerAction,
  TrustlineAction,
} from './events.ts'
export type { IntentRejection } from './rejections.ts'
export { endOf, type IntentEnd, IntentRecord, type IntentState, isExhausted } from './state.ts'
