import type { IsolationServices } from '../../services/each-isolated.ts'
import type { Services } from '../../services/services.ts'

/** What subscriptions may touch. */
export type SubscriptionServices = IsolationServices & Pick<Services, 'parked' | 'vault' | 'settlementOf' | 'publicUrl'>
