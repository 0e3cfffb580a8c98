import { CorruptStream } from '../shared/decider.ts'
import type { LedgerSequence } from '../shared/incoming-payment.ts'
import { type PositiveCount, positiveCount, type UnixMs } from '../shared/units.ts'
import type {
  FoundReset,
  LedgerIngestionEvent,
  LedgerPoint,
  PassedOver,
  PassedOverCompared,
  ResetDecision,
  Resumption,
  TransactionsPassedOver,
  UncountedTransaction,
} from './events.ts'

/** A reset of the network that is done: the epoch that ended, and behind which ledger the next one began. */
export type NetworkReset = ResetDecision & { readonly begins: LedgerPoint; readonly completedAt: UnixMs }

/** How a network's ledger was followed where that was out of the ordinary, in the order in which it came about. */
export type LedgerIngestionState = {
  readonly resumptions: ReadonlyArray<Resumption>
  readonly uncounted: ReadonlyArray<UncountedTransaction>
  readonly passedOver: ReadonlyArray<PassedOver | TransactionsPassedOver>
  /** The last comparison after ledgers that were passed over. */
  readonly compared: PassedOverCompared | null
  /** What shows that the network was reset, until the operator decides or the history goes on. */
  readonly foundReset: FoundReset | null
  /** What lived in the epoch is being ended. */
  readonly resetUnderWay: ResetDecision | null
  readonly resets: ReadonlyArray<NetworkReset>
}

const nothingUnusual = { resumptions: [], uncounted: [], passedOver: [], compared: null }

export const initial: LedgerIngestionState = {
  ...nothingUnusual,
  foundReset: null,
  resetUnderWay: null,
  resets: [],
}

export const evolve = (state: LedgerIngestionState, { type, data }: LedgerIngestionEvent): LedgerIngestionState => {
  switch (type) {
    case 'FollowingResumed':
      // One from the same place was never carried out: nothing was walked in between.
      // Who decides where it goes on has seen what a halt shows.
      return {
        ...state,
        foundReset: null,
        resumptions: [...state.resumptions.filter(({ walkedTo }) => walkedTo !== data.walkedTo), data],
      }
    case 'TransactionLeftUncounted':
      return { ...state, uncounted: [...state.uncounted, data] }
    case 'LedgerPassedOver':
    case 'TransactionsPassedOver':
      return { ...state, passedOver: [...state.passedOver, data] }
    case 'PassedOverCompared':
      return { ...state, compared: data }
    case 'NetworkResetFound':
      return { ...state, foundReset: data }
    case 'NetworkResetDisproved':
      return { ...state, foundReset: null }
    case 'NetworkResetBegun':
      return { ...state, resetUnderWay: data }
    case 'NetworkResetCompleted': {
      const { resetUnderWay: decision } = state
      if (decision === null) throw new CorruptStream(type, 'no reset under way')
      const { begins, at: completedAt } = data
      // The next epoch numbers its ledgers anew.
      return {
        ...nothingUnusual,
        foundReset: null,
        resetUnderWay: null,
        resets: [...state.resets, { ...decision, begins, completedAt }],
      }
    }
  }
}

/** The number of the history that is ingested, or whose end is under way; the first is 1. */
export const presentEpoch = ({ resets }: LedgerIngestionState): PositiveCount => positiveCount(resets.length + 1)

/** Whether the network was reset, as far as is known, and has not been started anew: nothing is sent or ingested. */
export const isResetPending = ({ foundReset, resetUnderWay }: LedgerIngestionState): boolean =>
  foundReset !== null || resetUnderWay !== null

/** The last ledger that was passed over, or of which transactions were, if the books were not compared since. */
export const uncomparedThrough = ({ passedOver, compared }: LedgerIngestionState): LedgerSequence | null => {
  const last = passedOver.at(-1)?.ledger ?? null
  return last === null || last === compared?.through ? null : last
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
