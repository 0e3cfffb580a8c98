import type { LedgerSequence } from '../shared/incoming-payment.ts'
import type { UnixMs } from '../shared/units.ts'
import type { LedgerIngestionEvent, Resumption, UncountedTransaction } from './events.ts'

/** How a network's ledger was followed where a person had a hand in it, in the order in which that came about. */
export type LedgerIngestionState = {
  readonly resumptions: ReadonlyArray<Resumption>
  readonly uncounted: ReadonlyArray<UncountedTransaction>
}

export const initial: LedgerIngestionState = { resumptions: [], uncounted: [] }

export const evolve = (state: LedgerIngestionState, { type, data }: LedgerIngestionEvent): LedgerIngestionState => {
  switch (type) {
    case 'FollowingResumed':
      // One from the same place was never carried out: nothing was walked in between.
      return {
        ...state,
        resumptions: [...state.resumptions.filter(({ walkedTo }) => walkedTo !== data.walkedTo), data],
      }
    case 'TransactionLeftUncounted':
      return { ...state, uncounted: [...state.uncounted, data] }
  }
}

/** Whether any ledger from `first` through `last` was skipped when a person had following go on behind it. */
export const isAnySkipped = (
  { resumptions }: LedgerIngestionState,
  first: LedgerSequence,
  last: LedgerSequence,
): boolean => resumptions.some(({ walkedTo, from }) => Math.max(first, walkedTo + 1) <= Math.min(last, from - 1))

/** Whether ledgers were skipped of which any closed at or after a moment. */
export const isAnySkippedSince = ({ resumptions }: LedgerIngestionState, since: UnixMs): boolean =>
  resumptions.some(({ walkedTo, from, closedAt }) => from > walkedTo + 1 && closedAt >= since)
