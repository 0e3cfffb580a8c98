import type { Services } from '../../services/services.ts'

/** What products may touch. */
export type ProductServices = Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'settlementOf'>
