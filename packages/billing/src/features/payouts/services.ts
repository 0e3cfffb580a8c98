import type { Services } from '../../services/services.ts'

/** What payouts may touch. */
export type PayoutServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'cursors'
  | 'setbacks'
  | 'challenges'
  | 'vault'
  | 'clock'
  | 'settlementOf'
  | 'networks'
  | 'omnibusAccounts'
  | 'publicUrl'
>
