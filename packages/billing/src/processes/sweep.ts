import type { Environment } from '@quittance/domain'
import type { Services } from '../services.ts'

/**
 * What nobody waits for: forgets old idempotency keys, and destroys the keys of deleted customers, in case that a crash
 * came between the deletion and the destruction.
 */
export const sweep = ({ claims, readModels, vault, clock }: Services, environment: Environment): void => {
  claims.purge()
  for (const { id } of readModels.customers.due(environment, clock.now())) vault.erase(id)
}
