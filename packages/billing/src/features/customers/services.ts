import type { Services } from '../../services/services.ts'

/** What customers may touch. */
export type CustomerServices = Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'vault'>
