import type { Services } from '../services/services.ts'

/** What ingestion may touch. */
export type IngestServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'cursors'
  | 'awaitingRate'
  | 'setbacks'
  | 'parked'
  | 'vault'
  | 'clock'
  | 'settlementOf'
  | 'networks'
>
