import * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { CustomerId, PaymentId } from '../shared/ids.ts'
import { IncomingPayment, isBroughtBy, isSameIncomingPayment, TransactionHash } from '../shared/incoming-payment.ts'
import { partial, strict } from '../shared/strict.ts'
import { Stroops, stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'
import { Enrolment, MandateOffer, RefusedEnrolment, type SeenMandate } from './enrolment.ts'
import {
  CheckoutDetails,
  type CheckoutEvent,
  CheckoutSettlement,
  SessionFailureReason,
  SetAsideReason,
} from './events.ts'
import { lowestValid, Quote } from './quote.ts'

/** A relayed transaction, with its bytes unless an earlier version relayed it. `isDead`: it will bring nothing. */
const SubmittedTransaction = t.intersection([
  strict({ transactionHash: TransactionHash, maxTime: UnixMs, paymentId: PaymentId, isDead: t.boolean }),
  partial({ envelopeXdr: Text }),
])
/** A transaction that a payer has submitted, until its outcome is known. */
export type SubmittedTransaction = t.TypeOf<typeof SubmittedTransaction>

const session = {
  details: CheckoutDetails,
  /** The one that it was created with, or the one attached. */
  customerId: orNull(CustomerId),
  quotes: t.readonlyArray(Quote),
  accepted: t.readonlyArray(IncomingPayment),
  setAside: t.readonlyArray(strict({ credit: IncomingPayment, reason: SetAsideReason })),
  /** The sum of the accepted payments. */
  received: Stroops,
  /** The payment that is pending, or was last pending; null before the first and after a failed attempt. */
  paymentId: orNull(PaymentId),
  failedPayments: t.readonlyArray(PaymentId),
  transactions: t.readonlyArray(SubmittedTransaction),
  offers: t.readonlyArray(MandateOffer),
  /** The mandate that counts. */
  enrolment: orNull(Enrolment),
  refusedEnrolments: t.readonlyArray(RefusedEnrolment),
}

/** What is kept of a checkout once it exists. */
export const CheckoutRecord = byStatus(
  {
    open: session,
    /** `endedAt`: it had expired before. */
    settled: { ...session, settlement: CheckoutSettlement, endedAt: orNull(UnixMs) },
    /** A trial's mandate counts: nothing is due. */
    enrolled: { ...session, enrolment: Enrolment },
    /** `settlement` is null for a trial. */
    completed: { ...session, settlement: orNull(CheckoutSettlement), completedAt: UnixMs },
    expired: { ...session, endedAt: UnixMs },
    failed: { ...session, reason: SessionFailureReason, endedAt: UnixMs },
  },
  'CheckoutRecord',
)
export type CheckoutRecord = t.TypeOf<typeof CheckoutRecord>
type Of<Status> = Extract<CheckoutRecord, { readonly status: Status }>
export type Open = Of<'open'>
export type Expired = Of<'expired'>
/** What every session knows, whatever became of it. */
export type Session = Omit<Open, 'status'>
/** What the events of its stream say about a checkout. */
export type CheckoutState = { readonly status: 'absent' } | CheckoutRecord

/** To the outside, a session stays open or expired while what follows its settlement or enrolment is being written. */
export const shownStatus = (state: CheckoutRecord): 'open' | 'completed' | 'expired' | 'failed' => {
  if (state.status === 'enrolled') return 'open'
  if (state.status === 'settled') return state.endedAt === null ? 'open' : 'expired'
  return state.status
}

/** How the price was covered; null where it is not, or nothing was due. */
export const settlementOf = (state: CheckoutRecord): CheckoutSettlement | null =>
  'settlement' in state ? state.settlement : null

/** How a session ends that nothing completed. */
export type Ending = Extract<CheckoutEvent, { readonly type: 'CheckoutExpired' | 'CheckoutFailed' }>

export const initial: CheckoutState = { status: 'absent' }

/** The quote to show at a moment: the lowest valid one; null if a new one is needed. */
export const currentQuote = ({ quotes }: Session, at: UnixMs): Quote | null => lowestValid(quotes, at)

/** What is still to be paid by a quote: its amount less what was received, at least one stroop. */
export const amountDue = ({ received }: Pick<Session, 'received'>, { amount }: Pick<Quote, 'amount'>): Stroops =>
  stroops(amount > received ? amount - received : 1n)

/** Whether the incoming payment was already accepted or set aside. */
export const hasSeen = ({ accepted, setAside }: Session, incoming: IncomingPayment): boolean =>
  accepted.some((each) => isSameIncomingPayment(each, incoming)) ||
  setAside.some((each) => isSameIncomingPayment(each.credit, incoming))

/** Whether the mandate was already seen, and counts or was refused. */
export const hasSeenMandate = ({ enrolment, refusedEnrolments }: Session, mandate: SeenMandate): boolean =>
  [...(enrolment === null ? [] : [enrolment]), ...refusedEnrolments].some(
    ({ contract, mandateId, transactionHash }) =>
      contract === mandate.contract && mandateId === mandate.mandateId && transactionHash === mandate.transactionHash,
  )

/** The relayed transactions whose outcome is not known yet. */
export const transactionsInFlight = ({ transactions, accepted }: Session): ReadonlyArray<SubmittedTransaction> =>
  transactions.filter(
    ({ transactionHash, isDead }) => !isDead && !accepted.some((incoming) => isBroughtBy(incoming, transactionHash)),
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
  state: CheckoutRecord,
  event: Exclude<CheckoutEvent, { readonly type: 'CheckoutCreated' }>,
): CheckoutRecord => {
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
      return {
        ...state,
        status: 'settled',
        settlement: event.data,
        endedAt: state.status === 'expired' ? state.endedAt : null,
      }
    case 'CheckoutCompleted': {
      if (state.status !== 'settled') throw new CorruptStream(event.type, state.status)
      const { endedAt: _, ...settled } = state
      return { ...settled, status: 'completed', completedAt: event.data.completedAt }
    }
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
