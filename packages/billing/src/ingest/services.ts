import type { IsolationServices } from '../services/each-isolated.ts'
import type { Services } from '../services/services.ts'

/** What ingestion may touch. */
export type IngestServices = IsolationServices &
  Pick<Services, 'awaitingRate' | 'parked' | 'vault' | 'settlementOf' | 'logStanding' | 'screening'>
