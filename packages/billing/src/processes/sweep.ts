import type { Environment } from '@quittance/domain'
import type { Services } from '../services.ts'

/**
 * What nobody waits for: forgets old idempotency keys, challenges and portal sessions, and destroys the keys of deleted customers, in case that a crash
 * came between the deletion and the destruction.
 */
export const sweep = (
  { claims, challenges, portalSessions, readModels, vault, clock }: Services,
  environment: Environment,
): void => {
  claims.purge()
  challenges.purge()
  portalSessions.purge(clock.now())
  for (const { id } of readModels.customers.due(environment, clock.now())) vault.erase(id)
}
