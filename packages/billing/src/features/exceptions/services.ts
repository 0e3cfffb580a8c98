import type { Services } from '../../services/services.ts'

/** What exceptions may touch. */
export type ExceptionServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'cursors'
  | 'setbacks'
  | 'vault'
  | 'clock'
  | 'settlementOf'
  | 'networks'
  | 'omnibusAccounts'
>
