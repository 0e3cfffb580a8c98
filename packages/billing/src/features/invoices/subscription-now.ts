import { Subscription, type SubscriptionId, type SubscriptionState } from '@quittance/domain'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Executed } from '../../kernel/execute.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

/** A subscription as its stream has it at this moment; absent where there is none. The caller knows whose it is. */
export const subscriptionNow =
  ({ store }: Pick<Services, 'store'>) =>
  (id: SubscriptionId): TE.TaskEither<StoreUnavailable, Executed<SubscriptionState>> =>
  () =>
    stateOf(store)(Subscription, id)
