import type { Policy, SubscriptionId, SubscriptionState } from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import type * as E from 'fp-ts/lib/Either.js'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'

/** What the processes of subscriptions stand on. `ingested` is the newest ledger that was ingested: its close time is now. */
export type Carrying = { readonly services: Services; readonly ingested: LedgerHead }

/** A subscription where it stands. `cause` is the id of its last event: what is done next follows from that. */
export type Standing<State = SubscriptionState> = {
  readonly scope: Scope
  readonly id: SubscriptionId
  readonly policy: Policy
  readonly state: State
  readonly cause: string
}

/** Whether a step was taken; false where it could not be. */
export type Taken = Promise<E.Either<ProcessFailure, boolean>>
