import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { PaymentId } from '../shared/ids.ts'
import type { IncomingPayment } from '../shared/incoming-payment.ts'
import { maximumStroops, stroops } from '../shared/stroops.ts'
import { hourMs, type UnixMs } from '../shared/units.ts'
import type { AcceptCredit } from './commands.ts'
import { type Decision, reject } from './decision.ts'
import { ending } from './end-session.ts'
import type { CheckoutEvent, CheckoutSettlement, SetAsideReason } from './events.ts'
import { issued, judging, type Quote } from './quote.ts'
import type { CheckoutRejection } from './rejections.ts'
import { type CheckoutRecord, type Expired, evolveExisting, hasSeen, type Open, type Session } from './state.ts'

/** How long after its end an expired session still takes a payment that covers the price. */
const latestMs = 24 * hourMs

export const unapplied = (incoming: IncomingPayment, reason: SetAsideReason): CheckoutEvent => ({
  type: 'CreditSetAside',
  data: { credit: incoming, reason },
})

/** The quote that judges an incoming payment, and the event that issues it if it is a new one. */
type Judgement = { readonly quote: Quote; readonly quoteEvents: ReadonlyArray<CheckoutEvent> }

/** The quote that judges what a ledger holds; null if none can. A price in the asset has one quote, which always can. */
export const judgingQuote = ({ details, quotes }: Session, closedAt: UnixMs): Quote | null =>
  details.price._tag === 'asset' ? (quotes[0] ?? null) : judging(quotes, closedAt)

const judge = (
  { credit: incoming, requote }: AcceptCredit,
  session: Session,
): E.Either<CheckoutRejection, Judgement> => {
  const { details, quotes } = session
  const { closedAt } = incoming
  const known = judgingQuote(session, closedAt)
  if (known !== null) return E.right({ quote: known, quoteEvents: [] })
  if (requote === null) return E.left({ _tag: 'QuoteNeeded', at: closedAt })
  if (requote.amount === 0n) return E.left({ _tag: 'QuoteNotPositive' })
  const quote = issued(requote, quotes, closedAt, closedAt < details.expiresAt ? details.expiresAt : null)
  return E.right({ quote, quoteEvents: [{ type: 'QuoteIssued', data: quote }] })
}

/** What is above max(1 %, 0.10 USD) is returned; up to that it is kept. Without a rate only the 1 % count. */
const isReturned = (excess: bigint, { amount, excessFloor }: Quote): boolean =>
  excess * 100n > amount && excess > (excessFloor ?? 0n)

type Acceptance = { readonly incoming: IncomingPayment; readonly paymentId: PaymentId; readonly late: boolean }

export const settlementBy = (
  { incoming, paymentId, late }: Acceptance,
  before: bigint,
  quote: Quote,
): CheckoutSettlement => {
  const received = stroops(before + incoming.amount)
  const above = stroops(received > quote.amount ? received - quote.amount : 0n)
  const none = stroops(0n)
  const [excess, overpaid] = isReturned(above, quote) ? [above, none] : [none, above]
  const { transactionHash, ledger, closedAt } = incoming
  return { paymentId, amountDue: quote.amount, received, excess, overpaid, late, transactionHash, ledger, closedAt }
}

const isCovered = (received: bigint, { amount }: Quote, { underpaymentTolerance }: Session['details']): boolean =>
  received + underpaymentTolerance >= amount

/** Accepts an incoming payment, and settles the session in the same decision if the price is now covered. */
const accept = (
  command: AcceptCredit,
  session: Session,
  { quote, quoteEvents }: Judgement,
  late: boolean,
): Decision => {
  const { credit: incoming } = command
  const paymentId = session.paymentId ?? command.paymentId
  if (session.failedPayments.includes(paymentId)) return reject({ _tag: 'PaymentIdSpent', paymentId })
  const accepted: CheckoutEvent = { type: 'CreditAccepted', data: { credit: incoming, paymentId } }
  if (!isCovered(session.received + incoming.amount, quote, session.details)) return E.right([...quoteEvents, accepted])
  const settlement = settlementBy({ incoming, paymentId, late }, session.received, quote)
  return E.right([...quoteEvents, accepted, { type: 'CheckoutSettled', data: settlement }])
}

/** An incoming payment too large to be added up, which no account could hold together with the earlier ones, is one too many. */
const acceptInTime = (command: AcceptCredit, state: Open): Decision => {
  const { credit: incoming } = command
  if (state.received + incoming.amount > maximumStroops) return E.right([unapplied(incoming, 'paid_twice')])
  const judgement = judge(command, state)
  return E.isLeft(judgement) ? judgement : accept(command, state, judgement.right, false)
}

/**
 * An expired session is completed by one payment that alone covers the price: up to 24 hours late, or in time but read
 * after a merchant had ended the session. A sum of several is not one payment.
 */
const acceptAfterExpiry = (command: AcceptCredit, state: Expired): Decision => {
  const { credit: incoming } = command
  if (incoming.sum !== undefined || incoming.closedAt - state.endedAt > latestMs)
    return E.right([unapplied(incoming, 'late')])
  const judgement = judge(command, state)
  if (E.isLeft(judgement)) return judgement
  const { quote, quoteEvents } = judgement.right
  if (!isCovered(incoming.amount, quote, state.details)) return E.right([...quoteEvents, unapplied(incoming, 'late')])
  return accept(command, state, judgement.right, incoming.closedAt >= state.endedAt)
}

/**
 * Takes an incoming payment that names this checkout. Everything is judged by the close time of its ledger: a session whose
 * deadline had passed by then is ended first, in the same decision, even if it has not been ended yet.
 * A payment of nothing changes nothing. A subscription is paid by its mandate alone.
 */
export const acceptIncomingPayment = (command: AcceptCredit, state: CheckoutRecord): Decision => {
  const { credit: incoming } = command
  const { assetId, expiresAt } = state.details
  if (incoming.amount === 0n || hasSeen(state, incoming)) return nothing
  if (state.status === 'open' && incoming.closedAt >= expiresAt) {
    const ended = ending(state, expiresAt)
    const decided = acceptIncomingPayment(command, evolveExisting(state, ended))
    return E.isLeft(decided) ? decided : E.right([ended, ...decided.right])
  }
  if (incoming.assetId !== assetId) return E.right([unapplied(incoming, 'wrong_asset')])
  const isForMandate = state.details.subscription !== undefined
  switch (state.status) {
    case 'open':
      return isForMandate ? E.right([unapplied(incoming, 'authorization_failed')]) : acceptInTime(command, state)
    case 'expired':
      return isForMandate ? E.right([unapplied(incoming, 'late')]) : acceptAfterExpiry(command, state)
    case 'settled':
    case 'enrolled':
    case 'completed':
      return E.right([unapplied(incoming, 'paid_twice')])
    case 'failed':
      return E.right([unapplied(incoming, state.reason === 'paid_otherwise' ? 'paid_twice' : 'after_failure')])
  }
}
