import type { Services } from '../../services/services.ts'

/** What limits may touch. */
export type LimitServices = Pick<
  Services,
  'store' | 'readModels' | 'clock' | 'networks' | 'settlementOf' | 'logStanding'
>
