import { CorruptStream } from '../shared/decider.ts'
import type { IncomingPayment, TransactionHash } from '../shared/incoming-payment.ts'
import { type Stroops, stroops } from '../shared/stroops.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { PaymentConfirmation, PaymentDetails, PaymentEvent, PaymentFailureReason, RefundClaim } from './events.ts'

/** What every payment knows. `received` is the sum of its credits, which is its amount while it is pending. */
type Known = {
  readonly details: PaymentDetails
  readonly submitted: ReadonlyArray<{ readonly transactionHash: TransactionHash; readonly maxTime: UnixMs }>
  readonly credits: ReadonlyArray<IncomingPayment>
  readonly received: Stroops
}

/** A refund of the payment; `released`: it has failed, as all but the last have. */
export type PaymentRefund = RefundClaim & { readonly status: 'claimed' | 'released' | 'refunded' }
export type Pending = Known & { readonly status: 'pending' }
export type Confirmed = Known & {
  readonly status: 'confirmed'
  readonly confirmation: PaymentConfirmation
  readonly refunds: ReadonlyArray<PaymentRefund>
  /** It goes back without a refund. */
  readonly isReturned: boolean
}
export type Failed = Known & {
  readonly status: 'failed'
  readonly reason: PaymentFailureReason
  readonly code?: Text
  readonly failedAt: UnixMs
}

export type PaymentState = { readonly status: 'absent' } | Pending | Confirmed | Failed

export const initial: PaymentState = { status: 'absent' }

export const evolve = (state: PaymentState, event: PaymentEvent): PaymentState => {
  switch (state.status) {
    case 'absent':
      if (event.type !== 'PaymentOpened') throw new CorruptStream(event.type, state.status)
      return { status: 'pending', details: event.data, submitted: [], credits: [], received: stroops(0n) }
    case 'pending':
      return evolvePending(state, event)
    case 'confirmed':
      return evolveConfirmed(state, event)
    case 'failed':
      throw new CorruptStream(event.type, state.status)
  }
}

const evolvePending = (state: Pending, { type, data }: PaymentEvent): PaymentState => {
  switch (type) {
    case 'PaymentSubmitted':
      return { ...state, submitted: [...state.submitted, data] }
    case 'PaymentCredited': {
      const received = stroops(state.received + data.credit.amount)
      return { ...state, credits: [...state.credits, data.credit], received }
    }
    case 'PaymentConfirmed':
      return { ...state, status: 'confirmed', confirmation: data, refunds: [], isReturned: false }
    case 'PaymentFailed':
      return { ...state, status: 'failed', ...data }
    case 'PaymentOpened':
    case 'RefundClaimed':
    case 'RefundReleased':
    case 'ReturnClaimed':
    case 'PaymentRefunded':
      throw new CorruptStream(type, state.status)
  }
}

const evolveConfirmed = (state: Confirmed, { type, data }: PaymentEvent): Confirmed => {
  switch (type) {
    case 'RefundClaimed':
      if (liveRefund(state) !== null) throw new CorruptStream(type, 'being refunded')
      return { ...state, refunds: [...state.refunds, { ...data, status: 'claimed' }] }
    case 'ReturnClaimed':
      return { ...state, isReturned: true }
    case 'RefundReleased':
    case 'PaymentRefunded': {
      const claimed = liveRefund(state)
      if (claimed?.status !== 'claimed' || claimed.refundId !== data.refundId) {
        throw new CorruptStream(type, 'not refunded by this refund')
      }
      const status = type === 'RefundReleased' ? 'released' : 'refunded'
      return { ...state, refunds: [...state.refunds.slice(0, -1), { ...claimed, status }] }
    }
    case 'PaymentOpened':
    case 'PaymentSubmitted':
    case 'PaymentCredited':
    case 'PaymentConfirmed':
    case 'PaymentFailed':
      throw new CorruptStream(type, state.status)
  }
}

/** The refund that keeps others away: it is under way, or has succeeded. */
export const liveRefund = ({ refunds }: Confirmed): PaymentRefund | null => {
  const last = refunds.at(-1)
  return last === undefined || last.status === 'released' ? null : last
}
