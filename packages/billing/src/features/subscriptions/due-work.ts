import type { PlatformFeeDecision, Policy, SubscriptionId, SubscriptionState } from '@quittance/domain'
import type { LedgerHead } from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import type * as E from 'fp-ts/lib/Either.js'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import type { SubscriptionServices } from './services.ts'

/**
 * What the work for due subscriptions needs. `ingested` is the newest ingested ledger: its close time counts as now.
 */
export type DueWork = {
  readonly services: SubscriptionServices & Pick<Services, 'freezing' | 'screening' | 'holding'>
  readonly ingested: LedgerHead
}

/** A subscription as it is now. `cause` is the id of its last event, from which the ids of the next step derive. */
export type CurrentSubscription<State = SubscriptionState> = {
  readonly scope: Scope
  readonly id: SubscriptionId
  readonly policy: Policy
  /** What the operator takes of the merchant's sales. */
  readonly platformFees: ReadonlyArray<PlatformFeeDecision>
  readonly state: State
  readonly cause: string
}

/** Whether the step was taken. */
export type StepTaken = Promise<E.Either<ProcessFailure, boolean>>
