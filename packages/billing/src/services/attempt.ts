import { type Environment, LedgerIngestion } from '@quittance/domain'
import { isStoreFailure } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { RoleLost } from '../kernel/fence.ts'
import { stateOf } from '../kernel/load.ts'
import type { FailureTag } from '../stores/setbacks/failures.ts'
import type { Failed } from '../stores/setbacks/setbacks.ts'
import type { ProcessFailure } from './process-failure.ts'
import type { Services } from './services.ts'

export type ProbedServices = Pick<Services, 'store' | 'readModels' | 'caughtUp' | 'networks'>

/** How one piece of work ended. */
export type Attempt<A> = { readonly _tag: 'Done'; readonly value: A } | ({ readonly _tag: 'Failed' } & Failed)

/**
 * Tries one piece of work. A failure that concerns everybody is returned or thrown; any other, an exception included, is an
 * attempt that failed.
 */
export const attempt = async <A>(
  services: ProbedServices,
  environment: Environment,
  work: () => Promise<E.Either<ProcessFailure, A>>,
): Promise<E.Either<ProcessFailure, Attempt<A>>> => {
  try {
    const done = await work()
    if (E.isRight(done)) return E.right({ _tag: 'Done', value: done.right })
    const failed = failedBy(done.left)
    if (await concernsEverybody(services, environment, failed.failure)) return done
    return E.right({ _tag: 'Failed', ...failed })
  } catch (defect) {
    // A full disk, a locked file or a role that another process has is no item's own.
    if (
      isStoreFailure(defect) ||
      defect instanceof RoleLost ||
      (await concernsEverybody(services, environment, 'Defect'))
    )
      throw defect
    return E.right({ _tag: 'Failed', failure: 'Defect', cause: String(defect) })
  }
}

/** A rejected step of a process is a defect of ours, though it is not thrown. */
const failedBy = ({ _tag, ...facts }: ProcessFailure): Failed => ({
  failure: _tag === 'StepRejected' ? 'Defect' : _tag,
  cause: JSON.stringify(facts, (_, value: unknown) =>
    typeof value === 'bigint' || value instanceof Error ? String(value) : value,
  ),
})

/**
 * Whether the log, the read models or the network cannot be read for anyone, which it finds out by reads that concern no
 * merchant. Also true while the process shuts down, since they are closed then.
 */
const concernsEverybody = async (
  { store, readModels, caughtUp, networks }: ProbedServices,
  environment: Environment,
  failure: FailureTag,
): Promise<boolean> => {
  try {
    if (E.isLeft(await caughtUp.withLog())) return true
    if (E.isLeft(await stateOf(store)(LedgerIngestion, environment))) return true
    await readModels.watchedAccounts.nextDue(environment, 0)
    if (failure !== 'LedgerUnreachable') return false
    const latest = await networks[environment]?.gateway.latestLedger()()
    return latest === undefined || E.isLeft(latest)
  } catch {
    return true
  }
}
