import type { Services } from '../../services/services.ts'

/** What merchants and their keys may touch. */
export type MerchantServices = Pick<
  Services,
  'store' | 'readModels' | 'caughtUp' | 'cursors' | 'keyUse' | 'vault' | 'clock' | 'settlementOf' | 'networks'
>
