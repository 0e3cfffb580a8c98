import { type Credit, isBroughtBy, isSameCredit, type TransactionHash } from '../shared/credit.ts'
import { CorruptStream } from '../shared/decider.ts'
import type { CustomerId, PaymentId } from '../shared/ids.ts'
import { type Stroops, stroops } from '../shared/stroops.ts'
import type { UnixMs } from '../shared/units.ts'
import type {
  CheckoutDetails,
  CheckoutEvent,
  CheckoutFailureReason,
  CheckoutSettlement,
  SetAsideReason,
} from './events.ts'
import { lowestValid, type Quote } from './quote.ts'

/** A relayed transaction. `isDead`: it will bring nothing. */
export type SubmittedTransaction = {
  readonly transactionHash: TransactionHash
  readonly maxTime: UnixMs
  readonly paymentId: PaymentId
  readonly isDead: boolean
}

/** What every session knows, whatever became of it. `customerId` is the one it was created with or the one attached. */
export type Session = {
  readonly details: CheckoutDetails
  readonly customerId: CustomerId | null
  readonly quotes: ReadonlyArray<Quote>
  readonly accepted: ReadonlyArray<Credit>
  readonly setAside: ReadonlyArray<{ readonly credit: Credit; readonly reason: SetAsideReason }>
  /** The sum of the accepted credits. */
  readonly received: Stroops
  /** The payment that is pending, or was last pending; null before the first and after a failed attempt. */
  readonly paymentId: PaymentId | null
  readonly failedPayments: ReadonlyArray<PaymentId>
  readonly transactions: ReadonlyArray<SubmittedTransaction>
}

export type Open = Session & { readonly status: 'open' }
export type Settled = Session & { readonly status: 'settled'; readonly settlement: CheckoutSettlement }
export type Completed = Session & {
  readonly status: 'completed'
  readonly settlement: CheckoutSettlement
  readonly completedAt: UnixMs
}
export type Expired = Session & { readonly status: 'expired'; readonly endedAt: UnixMs }
export type Failed = Session & {
  readonly status: 'failed'
  readonly reason: CheckoutFailureReason
  readonly endedAt: UnixMs
}

/** `settled` is `open` to the outside: the price is covered, and the payment is being confirmed. */
export type Existing = Open | Settled | Completed | Expired | Failed
export type CheckoutState = { readonly status: 'absent' } | Existing

/** How a session ends that nothing completed. */
export type Ending = Extract<CheckoutEvent, { readonly type: 'CheckoutExpired' | 'CheckoutFailed' }>

export const initial: CheckoutState = { status: 'absent' }

/** The quote to show at a moment: the lowest valid one; null if a new one is needed. */
export const currentQuote = ({ quotes }: Session, at: UnixMs): Quote | null => lowestValid(quotes, at)

/** What is still to be paid by a quote: its amount less what was received, at least one stroop. */
export const amountDue = ({ received }: Session, { amount }: Quote): Stroops =>
  stroops(amount > received ? amount - received : 1n)

/** Whether the credit was already accepted or set aside. */
export const hasSeen = ({ accepted, setAside }: Session, credit: Credit): boolean =>
  accepted.some((each) => isSameCredit(each, credit)) || setAside.some((each) => isSameCredit(each.credit, credit))

/** The relayed transactions of which nobody knows yet what came of them. */
export const transactionsInFlight = ({ transactions, accepted }: Session): ReadonlyArray<SubmittedTransaction> =>
  transactions.filter(
    ({ transactionHash, isDead }) => !isDead && !accepted.some((credit) => isBroughtBy(credit, transactionHash)),
  )

const created = (details: CheckoutDetails): Open => ({
  status: 'open',
  details,
  customerId: details.customerId,
  quotes: [],
  accepted: [],
  setAside: [],
  received: stroops(0n),
  paymentId: null,
  failedPayments: [],
  transactions: [],
})

/** What an event makes of a session that exists. */
export const evolveExisting = (
  state: Existing,
  event: Exclude<CheckoutEvent, { readonly type: 'CheckoutCreated' }>,
): Existing => {
  switch (event.type) {
    case 'QuoteIssued':
      return { ...state, quotes: [...state.quotes, event.data] }
    case 'CustomerAttached':
      return { ...state, customerId: event.data.customerId }
    case 'TransactionSubmitted': {
      const transactions = [...state.transactions, { ...event.data, isDead: false }]
      return { ...state, paymentId: event.data.paymentId, transactions }
    }
    case 'TransactionDied': {
      const { transactionHash } = event.data
      const transactions = state.transactions.map((each) =>
        each.transactionHash === transactionHash ? { ...each, isDead: true } : each,
      )
      return { ...state, transactions }
    }
    case 'PaymentAttemptFailed':
      return { ...state, paymentId: null, failedPayments: [...state.failedPayments, event.data.paymentId] }
    case 'CreditAccepted': {
      const { credit, paymentId } = event.data
      const received = stroops(state.received + credit.amount)
      return { ...state, accepted: [...state.accepted, credit], received, paymentId }
    }
    case 'CreditSetAside':
      return { ...state, setAside: [...state.setAside, event.data] }
    case 'CheckoutSettled':
      if (state.status !== 'open' && state.status !== 'expired') throw new CorruptStream(event.type, state.status)
      return { ...state, status: 'settled', settlement: event.data }
    case 'CheckoutCompleted':
      if (state.status !== 'settled') throw new CorruptStream(event.type, state.status)
      return { ...state, status: 'completed', completedAt: event.data.completedAt }
    case 'CheckoutExpired':
      if (state.status !== 'open') throw new CorruptStream(event.type, state.status)
      return { ...state, status: 'expired', endedAt: event.data.endedAt }
    case 'CheckoutFailed':
      if (state.status !== 'open') throw new CorruptStream(event.type, state.status)
      return { ...state, status: 'failed', reason: event.data.reason, endedAt: event.data.endedAt }
  }
}

export const evolve = (state: CheckoutState, event: CheckoutEvent): CheckoutState => {
  if (event.type === 'CheckoutCreated') {
    if (state.status !== 'absent') throw new CorruptStream(event.type, state.status)
    return created(event.data)
  }
  if (state.status === 'absent') throw new CorruptStream(event.type, state.status)
  return evolveExisting(state, event)
}
