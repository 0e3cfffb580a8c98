import type { Services } from '../../services/services.ts'

/** What subscriptions may touch. */
export type SubscriptionServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'cursors'
  | 'setbacks'
  | 'parked'
  | 'vault'
  | 'clock'
  | 'settlementOf'
  | 'networks'
  | 'publicUrl'
>
