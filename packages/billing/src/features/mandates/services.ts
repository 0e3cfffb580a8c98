import type { Services } from '../../services/services.ts'

/** What mandates may touch. */
export type MandateServices = Pick<Services, 'vault' | 'clock' | 'seenCollecting' | 'networks'>
