import type { Environment } from '@quittance/domain'
import type { LedgerUnreachable } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { inRole } from '../services/in-role.ts'
import type { Roles } from '../stores/roles.ts'
import type { StepFailure, Worker } from './worker.ts'

/** Several looks of the other processes. */
const usualAwayMs = 1_000

/** A worker of which one process at a time takes the steps. */
export type WorkerInRole = Worker & {
  /** After the last step: gives the work to another process, which need not wait for the end of a lease. */
  readonly standDown: () => Promise<void>
}

/**
 * For processes that share a database: a worker that only takes its steps while this process has the role of the
 * environment's worker. `open` makes a worker, or null where there is no network. After another process was at work, a new
 * one goes on from what the database holds, since the memory of the one before is out of date.
 *
 * A process that does not reach the ledger gives the role away, since another one may reach it, and asks for it again after
 * `awayMs`.
 */
export const workerInRole = (
  open: () => Worker | null,
  roles: Roles,
  environment: Environment,
  renewedEachMs?: number,
  awayMs: number = usualAwayMs,
): WorkerInRole | null => {
  const first = open()
  if (first === null) return null
  let worker = first
  let hasStepped = false
  const role = inRole<LedgerUnreachable>(roles, `worker/${environment}`, { renewedEachMs })

  const beginAnew = (): void => {
    if (hasStepped) worker = open() ?? worker
    hasStepped = false
  }
  const stepOnce = async (): Promise<E.Either<StepFailure, void>> => {
    const worked = await role.run((isNew) => {
      if (isNew) beginAnew()
      hasStepped = true
      return worker.step()
    })
    if (E.isLeft(worked)) {
      if (worked.left._tag !== 'LedgerUnreachable') beginAnew()
      return worked
    }
    const done = worked.right
    if (E.isLeft(done) && done.left._tag === 'LedgerUnreachable') await role.giveAway(done.left, awayMs)
    return done
  }

  let turn: Promise<unknown> = Promise.resolve()
  return {
    halted: () => worker.halted(),
    troubles: () => worker.troubles(),
    named: () => worker.named(),
    protocol: () => worker.protocol(),
    contractLives: () => worker.contractLives(),
    nextDue: () => worker.nextDue(),
    step: () => {
      const done = turn.then(stepOnce)
      turn = done.catch(() => undefined)
      return done
    },
    standDown: () => turn.then(role.standDown),
  }
}
