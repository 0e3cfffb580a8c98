import {
  type AccountId,
  type ApprovalState,
  type ApprovalSubject,
  type AssetId,
  asText,
  Intent,
  isLimited,
  Limits,
  type LimitsEvent,
  type LimitsState,
  OutflowApproval,
  type Stroops,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { Executed, ExecuteFailure } from '../../kernel/execute.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { step, stepUnless } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { intentIdOf } from '../outgoing/record-intent.ts'
import { approvalIdOf } from './approval-of.ts'
import { holderOf, operatorActor } from './holder.ts'
import type { LimitServices } from './services.ts'
import { worthOf } from './worth.ts'

/** How long somebody has to approve. */
export const approvalTimeMs = 7 * 24 * 3_600_000

/** Money that a refund or a payout is about to send. `actor`: who requested it. */
export type Outgoing = {
  readonly subject: ApprovalSubject
  readonly actor: string
  readonly assetId: AssetId
  readonly amount: Stroops
  readonly destination: AccountId
  readonly requestedAt: UnixMs
}

/** Whether money may go out: from `at` on, or not yet; or not any more, since nobody has approved it. */
export type Admission =
  | { readonly _tag: 'Goes'; readonly at: UnixMs }
  | { readonly _tag: 'Waits' }
  | { readonly _tag: 'Refused'; readonly isWithdrawn: boolean; readonly at: UnixMs }

export const limitsId = ({ merchantId, environment }: Scope): string => `${merchantId}/${environment}`

/**
 * Counts money that is about to go out against the limits, or has it wait for an approval. What was decided once stays so,
 * whatever the limits are by then. What has an intent already is on its way.
 */
export const admit = async (
  services: LimitServices,
  scope: Scope,
  outgoing: Outgoing,
): Promise<E.Either<ExecuteFailure, Admission>> => {
  const { store } = services
  const { subject, requestedAt } = outgoing
  const goes = E.right({ _tag: 'Goes' as const, at: requestedAt })
  const limits = await stateOf(store)(Limits, limitsId(scope))
  if (E.isLeft(limits)) return limits
  if (limits.right.state.limits.length === 0) return goes
  const intent = await stateOf(store)(Intent, intentIdOf(scope, subject))
  if (E.isLeft(intent)) return intent
  if (intent.right.state.status !== 'absent') return goes
  const needed = await neededIn(services, scope, limits.right, outgoing)
  if (E.isLeft(needed)) return needed
  return needed.right === null ? goes : await standingOf(services, scope, outgoing, needed.right)
}

type Needed = Extract<LimitsEvent, { readonly type: 'ApprovalNeeded' }>['data']

/** The decision of the limits, made now unless it was made before: null if no approval is needed. */
const neededIn = async (
  services: LimitServices,
  scope: Scope,
  known: Executed<LimitsState>,
  { subject, actor, assetId, amount, requestedAt }: Outgoing,
): Promise<E.Either<ExecuteFailure, Needed | null>> => {
  const context = stepContextOf(scope, subject, 'admit', requestedAt)
  const isDecided = known.events.some(({ metadata }) => metadata.commandId === context.commandId)
  const decided = isDecided ? E.right(known) : await decideNow()
  if (E.isLeft(decided)) return decided
  const own = decided.right.events.find(({ metadata }) => metadata.commandId === context.commandId)
  if (own === undefined) return E.right(null)
  const event = Limits.events.decodeEvent(own)
  if (E.isLeft(event)) throw new Error(`${limitsId(scope)} has an event that is none`)
  return E.right(event.right.type === 'ApprovalNeeded' ? event.right.data : null)

  async function decideNow(): Promise<E.Either<ExecuteFailure, Executed<LimitsState>>> {
    const holder = await holderOf(services, scope.merchantId, actor)
    if (E.isLeft(holder)) return holder
    const acceptedAt = await lastAcceptance(services)
    if (E.isLeft(acceptedAt)) return acceptedAt
    const value = await worthOf(services, scope, assetId, amount)
    const outflow = {
      subject: asText(subject),
      requester: holder.right,
      value,
      at: services.clock.now(scope.environment),
    }
    const mayWait = actor !== operatorActor
    const command = { type: 'AdmitOutflow' as const, ...outflow, mayWait, acceptedAt: acceptedAt.right }
    return step(services.store)(Limits, limitsId(scope), context, Limits.decider.decide(command))
  }
}

/** Whether the requests of a merchant are limited at a moment. */
export const isLimitedAt = async (
  services: Pick<Services, 'store' | 'logStanding'>,
  scope: Scope,
  at: UnixMs,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  const limits = await stateOf(services.store)(Limits, limitsId(scope))
  if (E.isLeft(limits)) return limits
  const acceptedAt = await lastAcceptance(services)
  return E.isLeft(acceptedAt) ? acceptedAt : E.right(isLimited(limits.right.state, at, acceptedAt.right))
}

/** When a person last accepted a restored log; null if nobody has. */
export const lastAcceptance = async ({
  logStanding,
}: Pick<Services, 'logStanding'>): Promise<E.Either<StoreUnavailable, UnixMs | null>> => {
  const acceptances = await logStanding.acceptances()
  return E.isLeft(acceptances) ? acceptances : E.right(acceptances.right.at(-1)?.acceptedAt ?? null)
}

/** Asks for the approval, once, and tells how it stands. One whose time is over has expired. */
const standingOf = async (
  { store, clock }: LimitServices,
  scope: Scope,
  { subject, assetId, amount, destination, requestedAt }: Outgoing,
  { outflow: { requester, value, at }, cause }: Needed,
): Promise<E.Either<ExecuteFailure, Admission>> => {
  const id = approvalIdOf(scope, subject)
  const expiresAt = unixMs(at + approvalTimeMs)
  const details = { subject, requestedBy: requester, assetId, amount, destination, value, cause, expiresAt }
  const request = OutflowApproval.decider.decide({ type: 'RequestApproval', ...details })
  const requested = await step(store)(
    OutflowApproval,
    id,
    stepContextOf(scope, subject, 'ask for approval', requestedAt),
    request,
  )
  if (E.isLeft(requested)) return requested
  const now = clock.now(scope.environment)
  if (now >= expiresAt) {
    const expire = OutflowApproval.decider.decide({ type: 'ExpireApproval', at: now })
    const context = stepContextOf(scope, subject, 'the approval expires', expiresAt)
    const expired = await stepUnless(store)(['ApprovalHasEnded'], OutflowApproval, id, context, expire)
    if (E.isLeft(expired)) return expired
  }
  const approval = await stateOf(store)(OutflowApproval, id)
  return E.isLeft(approval) ? approval : E.right(admissionBy(approval.right.state))
}

const admissionBy = (approval: ApprovalState): Admission => {
  switch (approval.status) {
    case 'absent':
    case 'waiting':
      return { _tag: 'Waits' }
    case 'approved':
      return { _tag: 'Goes', at: approval.at }
    case 'rejected':
    case 'expired':
    case 'withdrawn':
      return { _tag: 'Refused', isWithdrawn: approval.status === 'withdrawn', at: approval.at }
  }
}
