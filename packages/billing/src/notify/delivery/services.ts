import type { IsolationServices } from '../../services/each-isolated.ts'
import type { Services } from '../../services/services.ts'

/** What deliveries may touch. */
export type DeliveryServices = IsolationServices &
  Pick<Services, 'toDo' | 'changes' | 'logStanding' | 'vault' | 'freshId' | 'publicUrl'>
