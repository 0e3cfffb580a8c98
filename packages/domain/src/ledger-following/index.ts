import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { LedgerFollowingCommand } from './commands.ts'
import { decide } from './decide.ts'
import { LedgerFollowingEvent } from './events.ts'
import type { LedgerFollowingRejection } from './rejections.ts'
import { evolve, initial, type LedgerFollowingState } from './state.ts'

/** One stream for each network: what a person did about the following of its ledger. */
export const LedgerFollowing: Aggregate<
  LedgerFollowingCommand,
  LedgerFollowingEvent,
  LedgerFollowingState,
  LedgerFollowingRejection
> = {
  category: 'following',
  decider: { initial, evolve, decide },
  events: eventFormat(LedgerFollowingEvent),
}

export type { LedgerFollowingCommand } from './commands.ts'
export { BalanceComparison, type LedgerFollowingEvent, type Resumption, type UncountedTransaction } from './events.ts'
export type { LedgerFollowingRejection } from './rejections.ts'
export { isAnySkipped, isAnySkippedSince, type LedgerFollowingState } from './state.ts'
