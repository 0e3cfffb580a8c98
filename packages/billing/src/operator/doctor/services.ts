import type { Services } from '../../services/services.ts'

/** What the doctor may touch. */
export type DoctorServices = Pick<
  Services,
  'store' | 'readModels' | 'freezing' | 'vault' | 'clock' | 'networks' | 'left'
>
