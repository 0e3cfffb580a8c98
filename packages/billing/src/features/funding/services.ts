import type { Services } from '../../services/services.ts'

/** What fundings may touch. */
export type FundingServices = Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'vault' | 'omnibusAccounts'>
