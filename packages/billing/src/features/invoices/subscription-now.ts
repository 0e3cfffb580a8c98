import { Subscription, type SubscriptionId, type SubscriptionState } from '@quittance/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Executed, fold } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

/** A subscription as its stream has it at this moment; absent where there is none. Whose it is, the caller knows. */
export const subscriptionNow =
  ({ store }: Pick<Services, 'store'>) =>
  (id: SubscriptionId): TE.TaskEither<StoreUnavailable, Executed<SubscriptionState>> =>
    pipe(
      store.readStream(`${Subscription.category}-${id}`),
      TE.map(({ events }) => ({ events, state: fold(Subscription, events) })),
    )
