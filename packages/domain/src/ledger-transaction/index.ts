import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { LedgerTransactionCommand } from './commands.ts'
import { decide } from './decide.ts'
import { LedgerTransactionEvent } from './events.ts'
import type { LedgerTransactionRejection } from './rejections.ts'
import { evolve, initial, type LedgerTransactionState } from './state.ts'

/** A transaction of ours that moves money out; its hash, known before it is signed, names the stream. */
export const LedgerTransaction: Aggregate<
  LedgerTransactionCommand,
  LedgerTransactionEvent,
  LedgerTransactionState,
  LedgerTransactionRejection
> = {
  category: 'stellartx',
  decider: { initial, evolve, decide },
  events: eventFormat(LedgerTransactionEvent),
}

export type { LedgerTransactionCommand } from './commands.ts'
export { type LedgerTransactionEvent, TransactionDecision, TransactionDetails, WithdrawReason } from './events.ts'
export type { LedgerTransactionRejection } from './rejections.ts'
export { endedAs, intentAt, type LedgerTransactionState, reassigned, type TransactionEnd } from './state.ts'
