import type { Services } from '../../services/services.ts'

/** What deliveries may touch. */
export type DeliveryServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'cursors'
  | 'setbacks'
  | 'toDo'
  | 'changes'
  | 'vault'
  | 'clock'
  | 'freshId'
  | 'networks'
  | 'publicUrl'
>
