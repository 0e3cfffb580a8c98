import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import { isSameIncomingPayment } from '../shared/incoming-payment.ts'
import { feeOf } from '../shared/platform-fee.ts'
import { maximumStroops, stroops } from '../shared/stroops.ts'
import type {
  ClaimRefund,
  ConfirmPayment,
  FailPayment,
  OpenPayment,
  PaymentCommand,
  RecordCredit,
  RecordRefunded,
  RecordSubmission,
  ReleaseRefund,
} from './commands.ts'
import type { PaymentConfirmation, PaymentEvent } from './events.ts'
import type { PaymentRejection } from './rejections.ts'
import { type Confirmed, type Failed, liveRefund, type PaymentRecord, type PaymentState } from './state.ts'

type Decision = E.Either<PaymentRejection, ReadonlyArray<PaymentEvent>>

/** Why a payment that has ended takes nothing more. */
const ended = (state: Confirmed | Failed): PaymentRejection =>
  state.status === 'confirmed'
    ? { _tag: 'PaymentIsConfirmed', transactionHash: state.confirmation.transactionHash }
    : { _tag: 'PaymentIsFailed', reason: state.reason }

const open = ({ type: _, ...details }: OpenPayment, state: PaymentState): Decision => {
  if (state.status === 'absent') return E.right([{ type: 'PaymentOpened', data: details }])
  return isSame(state.details, details) ? nothing : E.left({ _tag: 'PaymentAlreadyExists' })
}

const recordSubmission = ({ transactionHash, maxTime }: RecordSubmission, state: PaymentRecord): Decision => {
  if (state.submitted.some((each) => each.transactionHash === transactionHash)) return nothing
  if (state.status !== 'pending') return E.left(ended(state))
  return E.right([{ type: 'PaymentSubmitted', data: { transactionHash, maxTime } }])
}

const recordIncomingPayment = ({ credit }: RecordCredit, state: PaymentRecord): Decision => {
  const { details, incomingPayments, received } = state
  if (credit.amount === 0n || incomingPayments.some((each) => isSameIncomingPayment(each, credit))) return nothing
  if (state.status !== 'pending') return E.left(ended(state))
  if (credit.assetId !== details.assetId) {
    return E.left({ _tag: 'WrongAsset', expected: details.assetId, received: credit.assetId })
  }
  if (received + credit.amount > maximumStroops) return E.left({ _tag: 'ReceivedTooLarge' })
  return E.right([{ type: 'PaymentCredited', data: { credit } }])
}

const confirmationOf = (
  { excess, overpaid, late, transactionHash, walletId, billingDetails }: ConfirmPayment,
  { details, incomingPayments, received }: PaymentRecord,
): E.Either<PaymentRejection, PaymentConfirmation> => {
  if (incomingPayments.length === 0) return E.left({ _tag: 'NothingReceived' })
  const completing = incomingPayments.findLast((each) => each.transactionHash === transactionHash)
  if (completing === undefined) return E.left({ _tag: 'CreditNotRecorded', transactionHash })
  if (excess + overpaid >= received) return E.left({ _tag: 'ExcessAboveReceived', received })
  const { ledger, closedAt, from } = completing
  const amount = stroops(received - excess)
  const settled = { transactionHash, ledger, confirmedAt: closedAt, payer: from }
  const { assetId, platformFee } = details
  const fee = platformFee === undefined ? 0n : feeOf(platformFee, assetId, amount - overpaid)
  const booked = fee === 0n ? {} : { platformFee: { assetId, amount: stroops(fee) } }
  return E.right({ amount, excess, overpaid, late, ...settled, walletId, billingDetails, ...booked })
}

const confirm = (command: ConfirmPayment, state: PaymentRecord): Decision => {
  if (state.status === 'failed') return E.left(ended(state))
  const confirmation = confirmationOf(command, state)
  if (state.status === 'pending')
    return E.map((data: PaymentConfirmation) => [{ type: 'PaymentConfirmed' as const, data }])(confirmation)
  return isSame(E.right(state.confirmation), confirmation) ? nothing : E.left(ended(state))
}

const fail = ({ type: _, at, ...why }: FailPayment, state: PaymentRecord): Decision => {
  const { reason } = why
  if (state.status === 'failed' && state.reason === reason) return nothing
  if (state.status !== 'pending') return E.left(ended(state))
  const { received } = state
  if (reason === 'underpaid') {
    if (received === 0n) return E.left({ _tag: 'NothingReceived' })
  } else if (received > 0n && reason !== 'network_reset') return E.left({ _tag: 'SomethingReceived', received })
  return E.right([{ type: 'PaymentFailed', data: { ...why, failedAt: at } }])
}

const claimRefund = ({ type: _, ...claim }: ClaimRefund, state: PaymentRecord): Decision => {
  if (state.status !== 'confirmed') return E.left({ _tag: 'PaymentNotConfirmed', status: state.status })
  const live = liveRefund(state)
  if (live?.refundId === claim.refundId) return nothing
  if (live !== null) return E.left({ _tag: 'RefundExists', refundId: live.refundId })
  if (state.isReturned) return E.left({ _tag: 'PaymentSetAside' })
  return state.refunds.some(({ refundId }) => refundId === claim.refundId)
    ? E.left({ _tag: 'RefundWasReleased' })
    : E.right([{ type: 'RefundClaimed', data: claim }])
}

const claimReturn = (state: PaymentRecord): Decision => {
  if (state.status !== 'confirmed') return E.left({ _tag: 'PaymentNotConfirmed', status: state.status })
  const live = liveRefund(state)
  if (live !== null) return E.left({ _tag: 'RefundExists', refundId: live.refundId })
  const { platformFee } = state.confirmation
  const data = platformFee === undefined ? {} : { platformFee }
  return state.isReturned ? nothing : E.right([{ type: 'ReturnClaimed', data }])
}

/** Ends the refund that is under way; one that has ended so already is left as it is. */
const endRefund = (command: ReleaseRefund | RecordRefunded, state: PaymentRecord): Decision => {
  const { type, refundId } = command
  const refund = state.status === 'confirmed' ? state.refunds.find((each) => each.refundId === refundId) : undefined
  if (refund === undefined) return E.left({ _tag: 'RefundNotClaimed' })
  switch (refund.status) {
    case 'claimed':
      return E.right([
        type === 'ReleaseRefund'
          ? { type: 'RefundReleased', data: { refundId } }
          : { type: 'PaymentRefunded', data: { refundId, refundedAt: command.at } },
      ])
    case 'released':
      return type === 'ReleaseRefund' ? nothing : E.left({ _tag: 'RefundWasReleased' })
    case 'refunded':
      return type === 'RecordRefunded' ? nothing : E.left({ _tag: 'RefundExists', refundId })
  }
}

export const decide =
  (command: PaymentCommand) =>
  (state: PaymentState): Decision => {
    if (command.type === 'OpenPayment') return open(command, state)
    if (state.status === 'absent') return E.left({ _tag: 'PaymentNotFound' })
    switch (command.type) {
      case 'RecordSubmission':
        return recordSubmission(command, state)
      case 'RecordCredit':
        return recordIncomingPayment(command, state)
      case 'ConfirmPayment':
        return confirm(command, state)
      case 'FailPayment':
        return fail(command, state)
      case 'ClaimRefund':
        return claimRefund(command, state)
      case 'ReleaseRefund':
      case 'RecordRefunded':
        return endRefund(command, state)
      case 'ClaimReturn':
        return claimReturn(state)
    }
  }
