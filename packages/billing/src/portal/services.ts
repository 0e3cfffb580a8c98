import type { IsolationServices } from '../services/each-isolated.ts'
import type { Services } from '../services/services.ts'

/** What the portal may touch. */
export type PortalServices = IsolationServices &
  Pick<
    Services,
    | 'mailedCodes'
    | 'mailers'
    | 'outbox'
    | 'parked'
    | 'portalSessions'
    | 'challenges'
    | 'vault'
    | 'settlementOf'
    | 'freshId'
    | 'publicUrl'
  >
