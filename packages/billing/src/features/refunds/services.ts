import type { Services } from '../../services/services.ts'

/** What refunds may touch. */
export type RefundServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'cursors'
  | 'setbacks'
  | 'clock'
  | 'settlementOf'
  | 'networks'
  | 'omnibusAccounts'
>
