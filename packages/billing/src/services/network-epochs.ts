import {
  type Environment,
  isResetPending,
  LedgerIngestion,
  type LedgerIngestionCommand,
  type LedgerIngestionRejection,
  type LedgerIngestionState,
} from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type { Clock } from '../kernel/clock.ts'
import { type ExecuteFailure, execute } from '../kernel/execute.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { platform } from '../kernel/platform.ts'
import { rememberedStates } from '../kernel/remembered.ts'
import type { Withheld } from './log-standing.ts'

/** The network of an environment was reset, and has not been started anew: nothing is sent, sold or ingested. */
export type NetworkWasReset = { readonly _tag: 'NetworkWasReset'; readonly environment: Environment }

/**
 * The histories of a network, one after the other. Every process reads them from the log when it is about to act. All
 * bytes for a network pass `permit`.
 */
export interface NetworkEpochs {
  readonly of: (environment: Environment) => Promise<E.Either<StoreUnavailable, LedgerIngestionState>>
  readonly record: (
    environment: Environment,
    command: LedgerIngestionCommand,
  ) => Promise<E.Either<ExecuteFailure | LedgerIngestionRejection, LedgerIngestionState>>
  /** Accounts are also set up while a reset is carried out. */
  readonly permit: (environment: Environment, purpose: 'send' | 'set_up') => Promise<E.Either<Withheld, void>>
}

export const networkEpochs = (store: EventStore, clock: Clock, freshId: () => string): NetworkEpochs => {
  const of = rememberedStates(store, LedgerIngestion)
  return {
    of,
    record: async (environment, command) => {
      const commandId = freshId()
      const at = clock.now(environment)
      const ids = { merchantId: platform, environment, commandId, correlationId: commandId, causationId: null }
      const decide = LedgerIngestion.decider.decide(command)
      const recorded = await execute(store)(LedgerIngestion, environment, { ...ids, actor: 'process', at }, decide)
      return E.isLeft(recorded) ? recorded : E.right(recorded.right.state)
    },
    permit: async (environment, purpose) => {
      const state = await of(environment)
      if (E.isLeft(state)) return E.left({ _tag: 'Withheld', cause: 'store_unavailable' })
      const { resetUnderWay } = state.right
      const isPending = isResetPending(state.right) && (purpose === 'send' || resetUnderWay === null)
      return isPending ? E.left({ _tag: 'Withheld', cause: 'network_reset' }) : E.right(undefined)
    },
  }
}

/** Refuses what would begin something on a network that was reset. */
export const ensureNotReset = async (
  { epochs }: { readonly epochs: Pick<NetworkEpochs, 'of'> },
  environment: Environment,
): Promise<E.Either<StoreUnavailable | NetworkWasReset, void>> => {
  const state = await epochs.of(environment)
  if (E.isLeft(state)) return state
  return isResetPending(state.right) ? E.left({ _tag: 'NetworkWasReset', environment }) : E.right(undefined)
}
