import type { Environment, FoundReset, NetworkReset, ResetDecision } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { ensureNotReset, type NetworkWasReset } from '../../services/network-epochs.ts'
import type { Services } from '../../services/services.ts'
import { type ResetFailure, type ResetRequest, resetNetwork } from './reset.ts'

/** What is known of resets of a network: what shows one, the decision that is being carried out, and those that are done. */
export type ResetStanding = {
  readonly found: FoundReset | null
  readonly underWay: ResetDecision | null
  readonly done: ReadonlyArray<NetworkReset>
}

/** Resets of a network, such as the testnet's: ledgers are numbered anew, and everything on them is gone. */
export interface NetworkResets {
  readonly standing: (environment: Environment) => TE.TaskEither<StoreUnavailable, ResetStanding>
  /** Fails while a reset of the network waits for the operator, or is being carried out. */
  /** Ends everything that lived on the former ledger, and starts new books. Repeated after a crash, it goes on. */
  readonly reset: (environment: Environment, request: ResetRequest) => TE.TaskEither<ResetFailure, NetworkReset>
  readonly ensureNone: (environment: Environment) => TE.TaskEither<StoreUnavailable | NetworkWasReset, void>
}

export const networkResets = (services: Services): NetworkResets => ({
  standing: (environment) => async () => {
    const state = await services.epochs.of(environment)
    if (E.isLeft(state)) return state
    const { foundReset: found, resetUnderWay: underWay, resets: done } = state.right
    return E.right({ found, underWay, done })
  },
  reset: (environment, request) => () => resetNetwork(services, environment, request),
  ensureNone: (environment) => () => ensureNotReset(services, environment),
})
