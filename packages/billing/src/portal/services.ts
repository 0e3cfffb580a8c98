import type { Services } from '../services/services.ts'

/** What the portal may touch. */
export type PortalServices = Pick<
  Services,
  | 'store'
  | 'readModels'
  | 'caughtUp'
  | 'cursors'
  | 'setbacks'
  | 'parked'
  | 'portalSessions'
  | 'vault'
  | 'clock'
  | 'settlementOf'
  | 'freshId'
  | 'networks'
  | 'publicUrl'
>
