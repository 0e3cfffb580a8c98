import {
  type AccountId,
  liveRefund,
  type MetadataRejection,
  mergeMetadata,
  noMetadata,
  Payment,
  type PaymentRejection,
  RefundId,
  Subscription,
  type Text,
} from '@quittance/domain'
import { refunds as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { createdId } from '../../kernel/derive.ts'
import { epochBegan } from '../../kernel/epoch.ts'
import type { CommandContext } from '../../kernel/execute.ts'
import { rowAfter, stateOf } from '../../kernel/load.ts'
import { executeExpecting } from '../../kernel/step.ts'
import { type RefundResource, refundResource } from '../../resources/refund.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { isUnapplied } from '../invoices/unapplied-payment.ts'
import { neededApproval } from '../limits/approval-of.ts'
import { checkDestination, type DestinationUnfit } from '../outgoing/check-destination.ts'
import { type PerhapsPaid, perhapsPaid } from '../outgoing/perhaps-paid.ts'
import { dustLimits } from '../payments/dust-limits.ts'
import { type LoadedPayment, loadPayment, type PaymentNotFound } from '../payments/payments.ts'
import { muxedIdOf, type SenderUnknown, soleSender } from '../payments/sent-by-account.ts'
import { type CreditsSpent, checkCredits } from './bought-credits.ts'
import { checkFunds, type InsufficientFunds, type SettlementAccountUnfit } from './covered.ts'
import { type DestinationNotAllowed, sendsAtFor } from './named-destination.ts'
import { resumeRefund } from './resume.ts'
import type { RefundServices } from './services.ts'

/**
 * A payment to be refunded whole: to the wallet that paid, unless a destination is given. `mayNameAnyAddress`: the caller
 * has the right to name an address that nobody has proven or registered; the refund then waits.
 */
export type NewRefund = {
  readonly paymentId: string
  readonly reason: Text | null
  readonly destination: AccountId | null
  readonly mayNameAnyAddress?: boolean
  readonly metadata: unknown
}

type NotClaimable = Extract<
  PaymentRejection,
  { readonly _tag: 'PaymentNotConfirmed' | 'RefundExists' | 'PaymentSetAside' }
>

export type RefundFailure =
  | ProcessFailure
  | PaymentNotFound
  | NotClaimable
  | MetadataRejection
  | DestinationUnfit
  | SettlementAccountUnfit
  | InsufficientFunds
  | SenderUnknown
  | DestinationNotAllowed
  | CreditsSpent
  | PerhapsPaid
  | PaymentBeforeReset

/** What was paid is gone: the network was reset since. */
export type PaymentBeforeReset = { readonly _tag: 'PaymentBeforeReset' }

/**
 * Refunds a payment. Everything that can be checked is checked before the claim; from the claim on the refund comes to its
 * end by itself, even if this process dies. A repeated request is not judged again. Answers the refund as it was requested:
 * pending.
 */
export const requestRefund = async (
  services: RefundServices,
  context: CommandContext,
  wanted: NewRefund,
): Promise<E.Either<RefundFailure, RefundResource>> => {
  const payment = await loadPayment(services, context, wanted.paymentId)
  if (E.isLeft(payment)) return payment
  const refundId = createdId(RefundId, context.at, context.commandId)
  const claimed =
    claimOf(payment.right, refundId) !== undefined
      ? payment
      : await claim(services, context, payment.right, refundId, wanted)
  if (E.isLeft(claimed)) return claimed
  const requested = await resumeRefund(services, context, claimed.right, refundId)
  if (E.isLeft(requested)) return requested
  const settlement = await services.settlementOf(context.merchantId, context.environment)()
  if (E.isLeft(settlement)) return settlement
  const refund = rowAfter(model, refundId)(requested.right)
  const isSignatureNeeded =
    settlement.right.custody === 'merchant' && claimOf(claimed.right, refundId)?.sendsAt === undefined
  const approvalId = await neededApproval(services, context, refundId)
  if (E.isLeft(approvalId)) return approvalId
  return E.right(refundResource(refund, isSignatureNeeded && approvalId.right === null, approvalId.right))
}

const claimOf = ({ state }: LoadedPayment, refundId: RefundId) =>
  state.status === 'confirmed' ? state.refunds.find((each) => each.refundId === refundId) : undefined

/** Claims the refund in the stream of its payment, and answers the payment with the claim. */
const claim = async (
  services: RefundServices,
  context: CommandContext,
  payment: LoadedPayment,
  refundId: RefundId,
  wanted: NewRefund,
): Promise<E.Either<RefundFailure, LoadedPayment>> => {
  const { state, paymentId } = payment
  if (state.status === 'absent') return E.left({ _tag: 'PaymentNotFound' })
  if (state.status !== 'confirmed') return E.left({ _tag: 'PaymentNotConfirmed', status: state.status })
  if (state.confirmation.confirmedAt <= (await epochBegan(services.readModels, context.environment)))
    return E.left({ _tag: 'PaymentBeforeReset' })
  const { subscriptionId } = state.details
  if (subscriptionId !== null) {
    const subscription = await stateOf(services.store)(Subscription, subscriptionId)
    if (E.isLeft(subscription)) return subscription
    if (isUnapplied(subscription.right.state, paymentId)) return E.left({ _tag: 'PaymentSetAside' })
  }
  const live = liveRefund(state)
  if (live !== null) return E.left({ _tag: 'RefundExists', refundId: live.refundId })
  const metadata = mergeMetadata(noMetadata, wanted.metadata ?? {})
  if (E.isLeft(metadata)) return metadata
  const { assetId } = state.details
  const whole = state.confirmation.amount
  const { destination: named, mayNameAnyAddress = false } = wanted
  const sender = soleSender(state.incomingPayments, await dustLimits(services)(context, assetId))
  const receiver = named === null ? sender : { account: named, amount: whole }
  if (receiver === null) return E.left({ _tag: 'SenderUnknown' })
  const of = { customerId: state.details.customerId, paid: state.incomingPayments }
  // A request that is repeated a day later has the time of its first attempt, and still waits for a day.
  const at = services.clock.now(context.environment)
  const to = { address: receiver.account, ...of, mayNameAnyAddress, at }
  const sendsAt = receiver.account === sender?.account ? E.right(null) : await sendsAtFor(services, context, to)
  if (E.isLeft(sendsAt)) return sendsAt
  const amount = receiver.amount < whole ? receiver.amount : whole
  const money = { destination: receiver.account, assetId, amount }
  const fits = await checkDestination(services, context, money)
  if (E.isLeft(fits)) return fits
  const payable = await checkFunds(services, context, money)
  if (E.isLeft(payable)) return payable
  const perhaps = await perhapsPaid(services, context, money)
  if (perhaps !== null) return E.left(perhaps)
  const unspent = await checkCredits(services, payment)
  if (E.isLeft(unspent)) return unspent

  const { reason } = wanted
  const { destination } = money
  const command = { type: 'ClaimRefund' as const, refundId, destination, reason, metadata: metadata.right }
  const part = amount < whole ? { amount } : {}
  const muxedId = muxedIdOf(state.incomingPayments, destination)
  const muxed = muxedId === null ? {} : { destinationMuxedId: muxedId }
  const wait = sendsAt.right === null ? {} : { sendsAt: sendsAt.right }
  const decide = Payment.decider.decide({ ...command, claimedAt: context.at, ...part, ...muxed, ...wait })
  // Another request may have claimed it since, or its subscription may have left it unapplied.
  const expected = ['RefundExists', 'PaymentSetAside'] as const
  const claimed = await executeExpecting(services.store)(expected, Payment, paymentId, context, decide)
  return E.isLeft(claimed) ? claimed : E.right({ paymentId, ...claimed.right })
}
