import { type Environment, LedgerFollowing } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { stateOf } from '../kernel/load.ts'
import type { FailureTag } from '../stores/setbacks/failures.ts'
import type { Services } from './services.ts'

export type Probed = Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'networks'>

/**
 * Whether a failure that work on one item has met is everybody's: the log, the read models or the network cannot be read
 * for anyone. It asks them for something that is no merchant's. Also true where the process is shutting down, since then
 * they are closed.
 */
export const concernsEverybody = async (
  { store, readModels, caughtUp, networks }: Probed,
  environment: Environment,
  failure: FailureTag,
): Promise<boolean> => {
  try {
    if (E.isLeft(await caughtUp.withLog())) return true
    if (E.isLeft(await stateOf(store)(LedgerFollowing, environment))) return true
    readModels.watchedAccounts.nextDue(environment, 0)
    if (failure !== 'LedgerUnreachable') return false
    const latest = await networks[environment]?.gateway.latestLedger()()
    return latest === undefined || E.isLeft(latest)
  } catch {
    return true
  }
}
