import type { IsolationServices } from '../../services/each-isolated.ts'
import type { Services } from '../../services/services.ts'

/** What prepaid credits may touch. */
export type CreditsServices = IsolationServices & Pick<Services, 'backfills'>
