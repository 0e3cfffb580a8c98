import type { IsolationServices } from '../../services/each-isolated.ts'
import type { Services } from '../../services/services.ts'

/** What exceptions may touch. */
export type ExceptionServices = IsolationServices &
  Pick<Services, 'parked' | 'vault' | 'settlementOf' | 'omnibusAccounts' | 'logStanding'>
