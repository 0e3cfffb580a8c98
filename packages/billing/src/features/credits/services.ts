import type { Services } from '../../services/services.ts'

/** What prepaid credits may touch. */
export type CreditsServices = Pick<
  Services,
  'store' | 'readModels' | 'caughtUp' | 'cursors' | 'backfills' | 'setbacks' | 'clock' | 'networks'
>
