import type { Services } from '../services/services.ts'

/** What the operator may touch. */
export type OperatorServices = Pick<
  Services,
  'store' | 'readModels' | 'caughtUp' | 'cursors' | 'awaitingRate' | 'settlementOf' | 'networks' | 'left'
>
