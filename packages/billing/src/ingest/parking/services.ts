import type { Services } from '../../services/services.ts'

/** What parked shares may touch. */
export type ParkingServices = Pick<
  Services,
  'store' | 'readModels' | 'caughtUp' | 'cursors' | 'setbacks' | 'parked' | 'clock' | 'networks'
>
