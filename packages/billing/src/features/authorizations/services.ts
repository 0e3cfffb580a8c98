import type { Services } from '../../services/services.ts'

/** What requests for authorisations may touch. */
export type AuthorizationServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'relays'
  | 'clock'
  | 'settlementOf'
  | 'freezing'
  | 'screening'
  | 'networks'
  | 'signRequest'
  | 'vault'
>
