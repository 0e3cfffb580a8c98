import type { IsolationServices } from '../../services/each-isolated.ts'
import type { Services } from '../../services/services.ts'

/** What payouts may touch. */
export type PayoutServices = IsolationServices &
  Pick<Services, 'parked' | 'challenges' | 'vault' | 'settlementOf' | 'omnibusAccounts' | 'publicUrl'>
