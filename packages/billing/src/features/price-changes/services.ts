import type { Services } from '../../services/services.ts'

export type PriceChangeServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'vault'
  | 'clock'
  | 'settlementOf'
  | 'networks'
  | 'freezing'
  | 'seenAccounts'
  | 'seenCollecting'
  | 'publicUrl'
>
