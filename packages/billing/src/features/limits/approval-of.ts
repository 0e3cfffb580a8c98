import {
  ApprovalId,
  type ApprovalState,
  type ApprovalSubject,
  idTime,
  OutflowApproval,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'

/** The id of the only approval that something can need. */
export const approvalIdOf = ({ environment }: Pick<Scope, 'environment'>, subject: ApprovalSubject): ApprovalId => {
  const madeAt = idTime(subject)
  if (madeAt === null) throw new RangeError(`${subject} is no id`)
  return createdId(ApprovalId, madeAt, derivedCommandId(environment, `approval of ${subject}`))
}

/** The approval that a request needed when it was made, whatever has become of it; null for one that needed none. */
export const neededApproval = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  subject: ApprovalSubject,
): Promise<E.Either<ExecuteFailure, ApprovalId | null>> => {
  const id = approvalIdOf(scope, subject)
  const approval = await stateOf(store)(OutflowApproval, id)
  return E.isLeft(approval) ? approval : E.right(approval.right.state.status === 'absent' ? null : id)
}

/** The approval that something waits for; null if it waits for none. */
export const awaitedApproval = async (
  { readModels }: Pick<Services, 'readModels'>,
  subject: string,
): Promise<string | null> =>
  (await readModels.approvals.withKey(subject)).find(({ row }) => row.status === 'waiting')?.id ?? null

/** Whether something waits for a person at a moment, so that there is nothing to do. */
export const isAwaiting = async (
  { readModels, clock }: Pick<Services, 'readModels' | 'clock'>,
  { environment }: Pick<Scope, 'environment'>,
  subject: string,
): Promise<boolean> =>
  (await readModels.approvals.withKey(subject)).some(
    ({ row }) => row.status === 'waiting' && clock.now(environment) < row.details.expiresAt,
  )

/**
 * Withdraws the approval that something waits for, which is over or is to be canceled. Answers how the approval stands then:
 * somebody may have decided first.
 */
export const withdrawApproval = async (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  subject: ApprovalSubject,
  at: UnixMs,
): Promise<E.Either<ExecuteFailure, ApprovalState>> => {
  const id = approvalIdOf(scope, subject)
  const known = await stateOf(store)(OutflowApproval, id)
  if (E.isLeft(known)) return known
  if (known.right.state.status !== 'waiting') return E.right(known.right.state)
  const context = stepContextOf(scope, subject, 'withdraw the approval', at)
  const decide = OutflowApproval.decider.decide({ type: 'WithdrawApproval', at })
  const withdrawn = await stepUnless(store)(['ApprovalHasEnded'], OutflowApproval, id, context, decide)
  if (E.isLeft(withdrawn)) return withdrawn
  const now = await stateOf(store)(OutflowApproval, id)
  return E.isLeft(now) ? now : E.right(now.right.state)
}
