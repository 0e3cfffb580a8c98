import {
  asText,
  type Environment,
  Intent,
  type MuxedId,
  Payment,
  PaymentId,
  Refund,
  type RefundCommand,
  type RefundDetails,
  type RefundId,
  type RefundState,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { Executed, ExecuteFailure } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { step, stepUnless } from '../../kernel/step.ts'
import { stepContextOf } from '../../kernel/step-context.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import { isUpToDate } from '../../services/is-up-to-date.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { refundReference } from '../../services/reference.ts'
import type { Services } from '../../services/services.ts'
import { admit } from '../limits/admit.ts'
import { isAwaiting } from '../limits/approval-of.ts'
import type { LimitServices } from '../limits/services.ts'
import { intentIdOf, recordIntent } from '../outgoing/record-intent.ts'
import type { LoadedPayment } from '../payments/payments.ts'
import { muxedIdOf } from '../payments/sent-by-account.ts'
import { takeCreditsBack } from './bought-credits.ts'
import { endRefund, followEnd } from './end.ts'
import { sendsAtAfterRestores } from './named-destination.ts'
import type { RefundServices } from './services.ts'

/** Resumes every claimed refund of an environment: a crash may have come after any step. */
export const resumeRefunds = (
  services: RefundServices,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> =>
  eachIsolated(services, environment, {
    loop: 'refunds',
    items: services.readModels.refundClaims.due(environment, Number.MAX_SAFE_INTEGER),
    again: ({ id }) => services.readModels.refundClaims.withId(id),
    isInTurn: isUpToDate(services),
    work: async ({ merchantId, id, row: { claim } }) => {
      // Once its intent is recorded, the worker brings it to its end and tells the refund.
      if (claim === null || (await services.readModels.intents.withKey(claim.refundId)).length > 0)
        return E.right(undefined)
      const known = (await services.readModels.refunds.withId(claim.refundId))?.row
      if (known?.status === 'pending' && isBefore(services, environment, known.sendsAt)) return E.right(undefined)
      if (await isAwaiting(services, { environment }, claim.refundId)) return E.right(undefined)
      const payment = await stateOf(services.store)(Payment, id)
      if (E.isLeft(payment)) return payment
      const loaded = { paymentId: decodeOrThrow(PaymentId, id), ...payment.right }
      return resumeRefund(services, { merchantId, environment }, loaded, claim.refundId)
    },
  })

/**
 * Brings a claimed refund forward from wherever it stands: requested, within the limits or approved, its wait over, credits
 * taken back, the intent to pay recorded; or failed, where credits are spent or nobody has approved it. The id of each step derives from the refund, so any process can do this
 * again at any time, also after the end, and writes only what is missing. Answers the refund as it was requested.
 */
export const resumeRefund = async (
  services: LimitServices & Pick<Services, 'vault'>,
  scope: Scope,
  payment: LoadedPayment,
  refundId: RefundId,
): Promise<E.Either<ProcessFailure, Executed<RefundState>>> => {
  const { state, claim, details } = claimedBy(payment, refundId)
  const { destination, claimedAt } = claim
  const requested = await request(services, scope, refundId, details, claimedAt)
  if (E.isLeft(requested) || claim.status !== 'claimed') return requested
  const { assetId, amount } = details
  const outgoing = { subject: refundId, actor: actorOf(payment, refundId), assetId, amount, destination }
  const admission = await admit(services, scope, { ...outgoing, requestedAt: claimedAt })
  if (E.isLeft(admission)) return admission
  switch (admission.right._tag) {
    case 'Waits':
      return requested
    case 'Refused': {
      const reason = admission.right.isWithdrawn ? 'canceled' : 'not_approved'
      const end = { type: 'FailRefund', reason, code: null, at: admission.right.at } as const
      const failed = await endRefund(services, scope, refundId, end)
      return E.isLeft(failed) ? failed : requested
    }
    case 'Goes':
      break
  }
  const mayGo = claim.sendsAt === undefined ? E.right(true) : await endWait(services, scope, refundId)
  if (E.isLeft(mayGo)) return mayGo
  if (!mayGo.right) return requested
  const at = unixMs(Math.max(claim.sendsAt ?? claimedAt, admission.right.at))
  const taken = await takeCreditsBack(services, payment, refundId, at)
  if (E.isLeft(taken) && taken.left._tag !== 'CreditsSpent') return E.left(taken.left)
  // Claims of earlier versions do not tell the number.
  const muxedId = details.destinationMuxedId ?? muxedIdOf(state.incomingPayments, destination)
  const failure = { type: 'FailRefund', reason: 'credits_spent', code: null, at } as const
  const followed = E.isRight(taken)
    ? await payBack(services, scope, refundId, details, muxedId, at)
    : await endRefund(services, scope, refundId, failure)
  return E.isLeft(followed) ? followed : requested
}

/** Who has requested a refund. */
const actorOf = ({ events }: LoadedPayment, refundId: RefundId): string => {
  const claimed = events.find(({ type, data }) => type === 'RefundClaimed' && data.refundId === refundId)
  if (claimed === undefined) throw new Error(`${refundId} has no claim`)
  return claimed.metadata.actor
}

/** A person or another process was first. */
const decidedOtherwise = ['RefundIsFailed', 'RefundIsSucceeded', 'RefundNotWaiting', 'RefundWaits'] as const

const isBefore = ({ clock }: Pick<Services, 'clock'>, environment: Environment, sendsAt: UnixMs | null): boolean =>
  sendsAt !== null && clock.now(environment) < sendsAt

/**
 * Ends the wait of a refund when its time has come, unless the log may have gone back: its stream decides between this and
 * a cancellation. False if it waits on, or was canceled; what follows from the cancellation is done then.
 */
const endWait = async (
  services: Pick<Services, 'store' | 'readModels' | 'clock' | 'logStanding'>,
  scope: Scope,
  refundId: RefundId,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const { store, clock, logStanding } = services
  const refund = await stateOf(store)(Refund, refundId)
  if (E.isLeft(refund)) return refund
  const { state } = refund.right
  if (state.status !== 'pending') {
    const followed = await followEnd(services, scope, refundId, state)
    return E.isLeft(followed) ? followed : E.right(false)
  }
  const { sendsAt: known } = state
  if (known === null) return E.right(true)
  if (isBefore(services, scope.environment, known) || !logStanding.mayAct(scope.environment)) return E.right(false)
  const sendsAt = await sendsAtAfterRestores(services, known)
  if (E.isLeft(sendsAt)) return sendsAt
  const isPostponed = sendsAt.right > known
  const command: RefundCommand = isPostponed
    ? { type: 'PostponeRefund', sendsAt: sendsAt.right }
    : { type: 'EndRefundWait', at: clock.now(scope.environment) }
  const context = stepContextOf(scope, refundId, `${command.type} ${sendsAt.right}`, known)
  const decide = Refund.decider.decide(command)
  const done = await stepUnless(store)(decidedOtherwise, Refund, refundId, context, decide)
  return E.isLeft(done) ? done : E.right(!isPostponed && done.right !== null)
}

/**
 * Brings a claimed refund to where its intent is recorded, as `resumeRefund` does, for one that a ledger has paid: that some
 * of its credits are spent hinders it no more.
 */
export const resumePaidRefund = async (
  services: Pick<Services, 'store' | 'readModels'>,
  scope: Scope,
  payment: LoadedPayment,
  refundId: RefundId,
): Promise<E.Either<ProcessFailure, void>> => {
  const { claim, details } = claimedBy(payment, refundId)
  const requested = await request(services, scope, refundId, details, claim.claimedAt)
  if (E.isLeft(requested)) return requested
  const taken = await takeCreditsBack(services, payment, refundId, claim.sendsAt ?? claim.claimedAt)
  return E.isLeft(taken) && taken.left._tag !== 'CreditsSpent' ? E.left(taken.left) : E.right(undefined)
}

const claimedBy = ({ paymentId, state }: LoadedPayment, refundId: RefundId) => {
  const claim = state.status === 'confirmed' ? state.refunds.find((each) => each.refundId === refundId) : undefined
  if (state.status !== 'confirmed' || claim === undefined)
    throw new Error(`${paymentId} was not claimed by ${refundId}`)
  const { destination, destinationMuxedId, reason, metadata, amount = state.confirmation.amount, sendsAt } = claim
  const { customerId, assetId } = state.details
  const muxed = destinationMuxedId === undefined ? {} : { destinationMuxedId }
  const wait = sendsAt === undefined ? {} : { sendsAt }
  const money = { amount, assetId, destination, ...muxed }
  const details: RefundDetails = { paymentId, customerId, ...money, reason, metadata, ...wait }
  return { state, claim, details }
}

const request = (
  { store }: Pick<Services, 'store'>,
  scope: Scope,
  refundId: RefundId,
  details: RefundDetails,
  claimedAt: UnixMs,
): Promise<E.Either<ExecuteFailure, Executed<RefundState>>> => {
  const context = stepContextOf(scope, refundId, 'request', claimedAt)
  return step(store)(Refund, refundId, context, Refund.decider.decide({ type: 'RequestRefund', ...details }))
}

/**
 * Pays from the account that the merchant is paid to now, since an earlier one may have been given up. Merchants who sign
 * themselves see the refund's id as the memo.
 */
const payBack = async (
  services: Pick<Services, 'store' | 'settlementOf' | 'vault'>,
  scope: Scope,
  refundId: RefundId,
  { paymentId, destination, assetId, amount }: RefundDetails,
  destinationMuxedId: MuxedId | null,
  at: UnixMs,
): Promise<E.Either<ProcessFailure, unknown>> => {
  const settlement = await services.settlementOf(scope.merchantId, scope.environment)()
  if (E.isLeft(settlement)) return settlement
  const owner = asText(refundId)
  const muxed = destinationMuxedId === null ? {} : { destinationMuxedId }
  // One that an earlier release recorded has another memo.
  const known = await stateOf(services.store)(Intent, intentIdOf(scope, owner))
  if (E.isLeft(known) || known.right.state.status !== 'absent') return known
  const { account: source, custody } = settlement.right
  const memo = custody === 'merchant' ? owner : await refundReference(services, scope.environment, paymentId)
  const action = { _tag: 'payment' as const, destination, assetId, amount, ...muxed }
  return recordIntent(services, scope, { class: 'refund', owner, source, action, memo, at })
}
