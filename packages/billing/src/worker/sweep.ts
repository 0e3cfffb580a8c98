import type { Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { timesOf } from '../kernel/clock.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Services } from '../services/services.ts'

/**
 * Purges old idempotency keys, challenges and portal sessions, and destroys the keys of deleted customers, in case a
 * crash came between the deletion and the destruction.
 */
export const sweep = (services: Services, environment: Environment): Promise<E.Either<ProcessFailure, void>> => {
  const { claims, challenges, portalSessions, readModels, vault, clock } = services
  claims.purge()
  challenges.purge()
  portalSessions.purge(timesOf(clock))
  return eachIsolated(services, environment, {
    loop: 'sweep',
    items: readModels.customers.due(environment, clock.now(environment)),
    again: ({ id }) => readModels.customers.withId(id),
    work: async ({ id }) => E.right(vault.erase(id)),
  })
}
