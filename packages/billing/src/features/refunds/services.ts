import type { IsolationServices } from '../../services/each-isolated.ts'
import type { Services } from '../../services/services.ts'

/** What refunds may touch. */
export type RefundServices = IsolationServices &
  Pick<Services, 'parked' | 'awaitingRate' | 'settlementOf' | 'omnibusAccounts' | 'vault' | 'logStanding'>
