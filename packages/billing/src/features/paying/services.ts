import type { Services } from '../../services/services.ts'

/** What payers may touch. */
export type PayerServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'relays'
  | 'vault'
  | 'clock'
  | 'settlementOf'
  | 'freezing'
  | 'screening'
  | 'seenAccounts'
  | 'freshId'
  | 'networks'
  | 'signRequest'
>
