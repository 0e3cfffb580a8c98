import type { Services } from '../../services/services.ts'

/** What checkouts may touch. */
export type CheckoutServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'vault'
  | 'clock'
  | 'settlementOf'
  | 'freezing'
  | 'seenAccounts'
  | 'seenCollecting'
  | 'networks'
  | 'publicUrl'
>
