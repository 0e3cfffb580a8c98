import type { Services, SetbackCount } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import { ofEnvironments } from './environments.ts'

/**
 * A merchant whose work in one loop has failed and waits for a retry. Only the log names the item, because anyone may
 * read this. Times are ISO 8601.
 */
export type KnownSetback = {
  readonly environment: Environment
  readonly merchant: string
  readonly loop: SetbackCount['loop']
  readonly failure: SetbackCount['failure']
  readonly attempts: number
  readonly since: string
  readonly next_attempt_at: string
}

/**
 * Setbacks do not make the service unready: other merchants are served. `present` holds those that raised an alarm, the
 * oldest first.
 */
export type SetbacksReadiness = {
  readonly status: 'ok' | 'degraded'
  readonly present: ReadonlyArray<KnownSetback>
}

const mostShown = 20

type Setbacks = Services['setbacks']

export const setbacksReadiness = async (setbacks: Pick<Setbacks, 'alarmed'>): Promise<SetbacksReadiness> => {
  const alarmed = await ofEnvironments((environment) => setbacks.alarmed(environment, mostShown))
  return {
    status: alarmed.length === 0 ? 'ok' : 'degraded',
    present: alarmed
      .slice(0, mostShown)
      .map(({ environment, merchantId, loop, failure, attempts, firstAt, nextAt }) => ({
        environment,
        merchant: merchantId,
        loop,
        failure,
        attempts,
        since: new Date(firstAt).toISOString(),
        next_attempt_at: new Date(nextAt).toISOString(),
      })),
  }
}

export const setbackCounts = (
  setbacks: Pick<Setbacks, 'counts'>,
): Promise<ReadonlyArray<SetbackCount & { readonly environment: Environment }>> =>
  ofEnvironments(async (environment) => (await setbacks.counts(environment)).map((each) => ({ environment, ...each })))
