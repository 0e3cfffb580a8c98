import { CorruptStream } from '../shared/decider.ts'
import type { CustomerId, PaymentId } from '../shared/ids.ts'
import { type IncomingPayment, isBroughtBy, isSameCredit, type TransactionHash } from '../shared/incoming-payment.ts'
import { type Stroops, stroops } from '../shared/stroops.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { Enrolment, MandateOffer, RefusedEnrolment, SeenMandate } from './enrolment.ts'
import type {
  CheckoutDetails,
  CheckoutEvent,
  CheckoutSettlement,
  SessionFailureReason,
  SetAsideReason,
} from './events.ts'
import { lowestValid, type Quote } from './quote.ts'

/** A relayed transaction, with its bytes unless an earlier version relayed it. `isDead`: it will bring nothing. */
export type SubmittedTransaction = {
  readonly transactionHash: TransactionHash
  readonly maxTime: UnixMs
  readonly paymentId: PaymentId
  readonly isDead: boolean
  readonly envelopeXdr?: Text
}

/** What every session knows, whatever became of it. `customerId` is the one it was created with or the one attached. */
export type Session = {
  readonly details: CheckoutDetails
  readonly customerId: CustomerId | null
  readonly quotes: ReadonlyArray<Quote>
  readonly accepted: ReadonlyArray<IncomingPayment>
  readonly setAside: ReadonlyArray<{ readonly credit: IncomingPayment; readonly reason: SetAsideReason }>
  /** The sum of the accepted credits. */
  readonly received: Stroops
  /** The payment that is pending, or was last pending; null before the first and after a failed attempt. */
  readonly paymentId: PaymentId | null
  readonly failedPayments: ReadonlyArray<PaymentId>
  readonly transactions: ReadonlyArray<SubmittedTransaction>
  readonly offers: ReadonlyArray<MandateOffer>
  /** The mandate that counts. */
  readonly enrolment: Enrolment | null
  readonly refusedEnrolments: ReadonlyArray<RefusedEnrolment>
}

export type Open = Session & { readonly status: 'open' }
export type Settled = Session & { readonly status: 'settled'; readonly settlement: CheckoutSettlement }
/** A trial's mandate counts: nothing is due. */
export type Enrolled = Session & { readonly status: 'enrolled'; readonly enrolment: Enrolment }
/** `settlement` is null of a trial. */
export type Completed = Session & {
  readonly status: 'completed'
  readonly settlement: CheckoutSettlement | null
  readonly completedAt: UnixMs
}
export type Expired = Session & { readonly status: 'expired'; readonly endedAt: UnixMs }
export type Failed = Session & {
  readonly status: 'failed'
  readonly reason: SessionFailureReason
  readonly endedAt: UnixMs
}

/** `settled` and `enrolled` are `open` to the outside: what follows is being written. */
export type Existing = Open | Settled | Enrolled | Completed | Expired | Failed
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
export const hasSeen = ({ accepted, setAside }: Session, credit: IncomingPayment): boolean =>
  accepted.some((each) => isSameCredit(each, credit)) || setAside.some((each) => isSameCredit(each.credit, credit))

/** Whether the mandate was already seen, and counts or was refused. */
export const hasSeenMandate = ({ enrolment, refusedEnrolments }: Session, mandate: SeenMandate): boolean =>
  [...(enrolment === null ? [] : [enrolment]), ...refusedEnrolments].some(
    ({ contract, mandateId, transactionHash }) =>
      contract === mandate.contract && mandateId === mandate.mandateId && transactionHash === mandate.transactionHash,
  )

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
  offers: [],
  enrolment: null,
  refusedEnrolments: [],
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
    case 'MandateOffered':
      return { ...state, offers: [...state.offers, event.data] }
    case 'EnrolmentSeen': {
      if (state.status !== 'open') throw new CorruptStream(event.type, state.status)
      const enrolment = event.data
      return enrolment.trialDays > 0 ? { ...state, status: 'enrolled', enrolment } : { ...state, enrolment }
    }
    case 'EnrolmentRefused':
      return { ...state, refusedEnrolments: [...state.refusedEnrolments, event.data] }
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
    case 'CheckoutCompletedUnpaid':
      if (state.status !== 'enrolled') throw new CorruptStream(event.type, state.status)
      return { ...state, status: 'completed', settlement: null, completedAt: event.data.completedAt }
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
