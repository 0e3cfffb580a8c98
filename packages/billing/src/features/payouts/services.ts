import type { IsolationServices } from '../../services/each-isolated.ts'
import type { Services } from '../../services/services.ts'
import type { LimitServices } from '../limits/services.ts'

/** What payouts may touch. */
export type PayoutServices = IsolationServices &
  LimitServices &
  Pick<
    Services,
    | 'parked'
    | 'awaitingRate'
    | 'challenges'
    | 'vault'
    | 'settlementOf'
    | 'justArrived'
    | 'omnibusAccounts'
    | 'publicUrl'
  >
