import * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { IncomingPayment, TransactionHash } from '../shared/incoming-payment.ts'
import { strict } from '../shared/strict.ts'
import { Stroops, stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'
import { PaymentConfirmation, PaymentDetails, type PaymentEvent, PaymentFailureReason, RefundClaim } from './events.ts'

const payment = {
  details: PaymentDetails,
  submitted: t.readonlyArray(strict({ transactionHash: TransactionHash, maxTime: UnixMs })),
  incomingPayments: t.readonlyArray(IncomingPayment),
  /** The sum of its incoming payments, which is its amount while it is pending. */
  received: Stroops,
}

/** A refund of the payment. `released`: it has failed, as all but the last have. */
const PaymentRefund = t.intersection([
  RefundClaim,
  strict({ status: t.keyof({ claimed: null, released: null, refunded: null }) }),
])
export type PaymentRefund = t.TypeOf<typeof PaymentRefund>

/** What is kept of a payment once it exists. */
export const PaymentRecord = byStatus(
  {
    pending: payment,
    confirmed: {
      ...payment,
      confirmation: PaymentConfirmation,
      refunds: t.readonlyArray(PaymentRefund),
      /** It goes back without a refund. */
      isReturned: t.boolean,
    },
    failed: { ...payment, reason: PaymentFailureReason, code: orNull(Text), failedAt: UnixMs },
  },
  'PaymentRecord',
)
export type PaymentRecord = t.TypeOf<typeof PaymentRecord>
export type Pending = Extract<PaymentRecord, { readonly status: 'pending' }>
export type Confirmed = Extract<PaymentRecord, { readonly status: 'confirmed' }>
export type Failed = Extract<PaymentRecord, { readonly status: 'failed' }>
/** What the events of its stream say about a payment. */
export type PaymentState = { readonly status: 'absent' } | PaymentRecord

export const initial: PaymentState = { status: 'absent' }

export const evolve = (state: PaymentState, event: PaymentEvent): PaymentState => {
  switch (state.status) {
    case 'absent':
      if (event.type !== 'PaymentOpened') throw new CorruptStream(event.type, state.status)
      return { status: 'pending', details: event.data, submitted: [], incomingPayments: [], received: stroops(0n) }
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
      return { ...state, incomingPayments: [...state.incomingPayments, data.credit], received }
    }
    case 'PaymentConfirmed':
      return { ...state, status: 'confirmed', confirmation: data, refunds: [], isReturned: false }
    case 'PaymentFailed':
      return { ...state, status: 'failed', reason: data.reason, code: data.code ?? null, failedAt: data.failedAt }
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
