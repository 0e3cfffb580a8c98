import type { Services } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import { environments } from './environments.ts'
import type { ConfigProblem } from './settings.ts'

/**
 * The problems of a data directory whose merchants are paid on another network than the configured one, where their
 * accounts, ledgers and payments are. All merchants of an environment share its network, so the first one decides.
 */
export const movedNetworks = async (
  services: Pick<Services, 'networks' | 'readModels' | 'settlementOf'>,
): Promise<ReadonlyArray<ConfigProblem>> => {
  const accounts = await services.readModels.watchedAccounts.all()
  const found = await Promise.all(
    environments.map(async (environment): Promise<ReadonlyArray<ConfigProblem>> => {
      const configured = services.networks[environment]?.gateway.networkPassphrase
      const paid = accounts.find(({ row }) => row.environment === environment)
      if (configured === undefined || paid === undefined) return []
      const settlement = await services.settlementOf(paid.merchantId, environment)()
      if (E.isLeft(settlement) || settlement.right.networkPassphrase === configured) return []
      const expected = `a directory of the ${environment} network "${configured}"; merchants in it are paid on "${settlement.right.networkPassphrase}"`
      return [{ variable: 'QUITTANCE_DATA_DIR', expected }]
    }),
  )
  return found.flat()
}
