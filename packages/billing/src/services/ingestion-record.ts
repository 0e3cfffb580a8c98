import { type Environment, LedgerFollowing, type LedgerFollowingState } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { fold } from '../kernel/execute.ts'
import type { StoreUnavailable } from '../kernel/load.ts'

/** Whose events are that are about a network as a whole: no merchant's. */
export const platform = 'platform'

/** What persons have done about the following of a network's ledger: a few events in years. */
export const followingOf = (
  store: EventStore,
  environment: Environment,
): TE.TaskEither<StoreUnavailable, LedgerFollowingState> =>
  pipe(
    store.readStream(`${LedgerFollowing.category}-${environment}`),
    TE.map(({ events }) => fold(LedgerFollowing, events)),
  )
