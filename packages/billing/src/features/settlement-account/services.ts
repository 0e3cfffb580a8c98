import type { Services } from '../../services/services.ts'

/** What settlement accounts may touch. */
export type SettlementAccountServices = Pick<
  Services,
  'store' | 'readModels' | 'cursors' | 'vault' | 'clock' | 'networks' | 'signRequest'
>
