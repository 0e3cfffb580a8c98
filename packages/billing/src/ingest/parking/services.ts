import type { IsolationServices } from '../../services/each-isolated.ts'
import type { Services } from '../../services/services.ts'

/** What parked shares may touch. */
export type ParkingServices = IsolationServices & Pick<Services, 'parked'>
