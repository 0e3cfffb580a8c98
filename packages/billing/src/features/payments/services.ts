import type { Services } from '../../services/services.ts'

/** What payments may touch. */
export type PaymentServices = Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'cursors' | 'vault' | 'publicUrl'>
