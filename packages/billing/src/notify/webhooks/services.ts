import type { Services } from '../../services/services.ts'

/** What webhooks may touch. */
export type WebhookServices = Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'vault' | 'networks'>
