import { contractStandings, type Services } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import { ofEnvironments } from './environments.ts'

/**
 * The mandate contracts that the log follows: new mandates go to the `configured` one, living ones are left in those `in_use`,
 * and a `forgettable` one is named by none any more. None of that makes the service unready.
 */
export type ContractsReadiness = {
  readonly status: 'current' | 'former_in_use'
  readonly contracts: ReadonlyArray<{
    readonly environment: Environment
    readonly contract: string
    readonly standing: 'configured' | 'in_use' | 'forgettable'
  }>
}

export const contractsReadiness = async (
  services: Pick<Services, 'readModels' | 'networks'>,
): Promise<ContractsReadiness> => {
  const contracts = await ofEnvironments(async (environment) =>
    (await contractStandings(services, environment)).map((each) => ({ environment, ...each })),
  )
  return { status: contracts.some(({ standing }) => standing === 'in_use') ? 'former_in_use' : 'current', contracts }
}
