import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { LedgerIngestionCommand } from './commands.ts'
import { decide } from './decide.ts'
import { LedgerIngestionEvent } from './events.ts'
import type { LedgerIngestionRejection } from './rejections.ts'
import { evolve, initial, type LedgerIngestionState } from './state.ts'

/** One stream for each network: what was out of the ordinary when its ledger was followed. */
export const LedgerIngestion: Aggregate<
  LedgerIngestionCommand,
  LedgerIngestionEvent,
  LedgerIngestionState,
  LedgerIngestionRejection
> = {
  category: 'following',
  decider: { initial, evolve, decide },
  events: eventFormat(LedgerIngestionEvent),
}

export type { LedgerIngestionCommand } from './commands.ts'
export {
  BalanceComparison,
  type FoundReset,
  type LedgerIngestionEvent,
  type PassedOver,
  type ResetDecision,
  type Resumption,
  type UncountedTransaction,
} from './events.ts'
export type { LedgerIngestionRejection } from './rejections.ts'
export {
  isAnySkipped,
  isAnySkippedSince,
  isResetPending,
  type LedgerIngestionState,
  type NetworkReset,
  presentEpoch,
  uncomparedThrough,
} from './state.ts'
