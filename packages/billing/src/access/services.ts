import type { Services } from '../services/services.ts'

/** What access checks may touch. */
export type AccessServices = Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'clock'>
