import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { ExceptionCommand } from './commands.ts'
import { decide } from './decide.ts'
import { ExceptionEvent } from './events.ts'
import type { ExceptionRejection } from './rejections.ts'
import { type ExceptionState, evolve, initial } from './state.ts'

/** The rules of an exception, and how its events are written and read. */
export const Exception: Aggregate<ExceptionCommand, ExceptionEvent, ExceptionState, ExceptionRejection> = {
  category: 'exception',
  decider: { initial, evolve, decide },
  events: eventFormat(ExceptionEvent),
}

export type { ExceptionCommand } from './commands.ts'
export { operatorActor } from './decide.ts'
export {
  ExceptionDetails,
  type ExceptionEvent,
  ExceptionKind,
  MoneyReturn,
  ReceivedMemo,
  UndecidedReason,
} from './events.ts'
export type { ExceptionRejection } from './rejections.ts'
export { ExceptionRecord, type ExceptionState, isHeldForOperator } from './state.ts'
