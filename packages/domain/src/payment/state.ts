import type { Credit, TransactionHash } from '../shared/credit.ts'
import { CorruptStream } from '../shared/decider.ts'
import { type Stroops, stroops } from '../shared/stroops.ts'
import type { UnixMs } from '../shared/units.ts'
import type { PaymentConfirmation, PaymentDetails, PaymentEvent, PaymentFailureReason } from './events.ts'

/** What every payment knows. `received` is the sum of its credits, which is its amount while it is pending. */
type Known = {
  readonly details: PaymentDetails
  readonly submitted: ReadonlyArray<{ readonly transactionHash: TransactionHash; readonly maxTime: UnixMs }>
  readonly credits: ReadonlyArray<Credit>
  readonly received: Stroops
}

export type Pending = Known & { readonly status: 'pending' }
export type Confirmed = Known & { readonly status: 'confirmed'; readonly confirmation: PaymentConfirmation }
export type Failed = Known & {
  readonly status: 'failed'
  readonly reason: PaymentFailureReason
  readonly failedAt: UnixMs
}

export type PaymentState = { readonly status: 'absent' } | Pending | Confirmed | Failed

export const initial: PaymentState = { status: 'absent' }

export const evolve = (state: PaymentState, { type, data }: PaymentEvent): PaymentState => {
  if (type === 'PaymentOpened') {
    if (state.status !== 'absent') throw new CorruptStream(type, state.status)
    return { status: 'pending', details: data, submitted: [], credits: [], received: stroops(0n) }
  }
  if (state.status !== 'pending') throw new CorruptStream(type, state.status)
  switch (type) {
    case 'PaymentSubmitted':
      return { ...state, submitted: [...state.submitted, data] }
    case 'PaymentCredited': {
      const received = stroops(state.received + data.credit.amount)
      return { ...state, credits: [...state.credits, data.credit], received }
    }
    case 'PaymentConfirmed':
      return { ...state, status: 'confirmed', confirmation: data }
    case 'PaymentFailed':
      return { ...state, status: 'failed', reason: data.reason, failedAt: data.failedAt }
  }
}
