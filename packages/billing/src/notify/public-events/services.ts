import type { Services } from '../../services/services.ts'

/** What public events may touch. */
export type PublicEventServices = Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'vault' | 'publicUrl'>
