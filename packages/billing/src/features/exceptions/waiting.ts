import { dayMs, type Environment } from '@quittance/domain'
import { exceptionAlarmMs } from '@quittance/projections'
import type { Services } from '../../services/services.ts'

/** How many exceptions of an environment wait for a person, by how old they are. */
export type WaitingExceptions = {
  readonly environment: Environment
  readonly age: 'under_1d' | 'under_3d' | 'over_3d'
  readonly count: number
}

/** Counts in the read model, where a waiting exception is due at its alarm, which comes at the same age for all. */
export const waitingExceptions = async (
  { readModels, clock }: Pick<Services, 'readModels' | 'clock'>,
  environment: Environment,
): Promise<ReadonlyArray<WaitingExceptions>> => {
  const [now, alarm] = [clock.now(environment), clock.now(environment) + exceptionAlarmMs]
  const count = (after: number, until: number) => readModels.exceptions.countDue(environment, after, until)
  return [
    { environment, age: 'under_1d', count: await count(alarm - dayMs, Number.MAX_SAFE_INTEGER) },
    { environment, age: 'under_3d', count: await count(now, alarm - dayMs) },
    { environment, age: 'over_3d', count: await count(0, now) },
  ]
}
