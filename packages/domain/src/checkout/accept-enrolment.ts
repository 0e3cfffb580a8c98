import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { IncomingPayment } from '../shared/incoming-payment.ts'
import { unixMs } from '../shared/units.ts'
import { judgingQuote, settlementBy, unapplied } from './accept-incoming-payment.ts'
import type { AcceptEnrolment } from './commands.ts'
import { type Decision, reject } from './decision.ts'
import { ending } from './end-session.ts'
import { type EnrolmentRefusal, isAsOffered, type MandateOffer, type SeenMandate } from './enrolment.ts'
import type { CheckoutEvent, SetAsideReason } from './events.ts'
import type { Quote } from './quote.ts'
import { type CheckoutRecord, evolveExisting, hasSeen, hasSeenMandate, type Open, type Session } from './state.ts'

/**
 * Takes a mandate that names this checkout. Everything is judged by the close time of its ledger: a session whose deadline
 * had passed by then is ended first, in the same decision. A mandate that equals an offered one, at a price that is still
 * valid, completes the session, with its first amount or with a trial; of any other, the money that came is set aside and the session stays as it is.
 */
export const acceptEnrolment = (command: AcceptEnrolment, state: CheckoutRecord): Decision => {
  const { mandate } = command
  if (hasSeenMandate(state, mandate)) return nothing
  const { expiresAt } = state.details
  if (state.status === 'open' && mandate.closedAt >= expiresAt) {
    const ended = ending(state, expiresAt)
    const decided = acceptEnrolment(command, evolveExisting(state, ended))
    return E.isLeft(decided) ? decided : E.right([ended, ...decided.right])
  }
  switch (state.status) {
    case 'open':
      return acceptInTime(command, state)
    case 'settled':
    case 'enrolled':
    case 'completed':
      return refused(command, state, 'already_enrolled', 'paid_twice')
    case 'expired':
      return refused(command, state, 'session_over', 'late')
    case 'failed':
      return refused(command, state, 'session_over', 'after_failure')
  }
}

/** The offer that a mandate equals; the last one, should several be alike. */
export const offerOf = ({ offers }: Session, mandate: SeenMandate): MandateOffer | undefined =>
  offers.findLast((each) => isAsOffered(each, mandate))

const acceptInTime = (command: AcceptEnrolment, state: Open): Decision => {
  const { mandate, credit: incoming, isTrialFree, isSubscribed } = command
  const offer = offerOf(state, mandate)
  if (offer === undefined) return refused(command, state, 'not_offered')
  if (isSubscribed) return refused(command, state, 'already_subscribed', 'paid_twice')
  const own = state.quotes.find(({ ordinal }) => ordinal === offer.quote)
  // No mandate is older than the quote that it was offered at, whatever the clocks say.
  const quote = own === undefined ? null : judgingQuote(state, unixMs(Math.max(mandate.closedAt, own.validFrom)))
  const price = offer.trialDays > 0 ? own?.amount : offer.firstAmount
  if (price === undefined || quote === null || price < quote.amount) return refused(command, state, 'stale_price')
  if (offer.trialDays > 0) return isTrialFree ? E.right([seen(command, offer)]) : refused(command, state, 'trial_taken')
  const isNew = incoming !== null && !hasSeen(state, incoming)
  const isPaid = isNew && incoming.amount === offer.firstAmount && incoming.assetId === offer.assetId
  return isPaid ? settled(command, state, offer, incoming, quote) : refused(command, state, 'unpaid')
}

const seen = ({ mandate, subscriptionId }: AcceptEnrolment, offer: MandateOffer): CheckoutEvent => {
  const { mandateId, contract, transactionHash, ledger, closedAt } = mandate
  const { customer, trialDays } = offer
  const where = { mandateId, contract, ledger, closedAt, transactionHash }
  const data = { ...where, offered: offer.transactionHash, wallet: customer, trialDays, subscriptionId }
  return { type: 'EnrolmentSeen', data }
}

/** The first amount was quoted when the mandate was offered; the lowest quote of its ledger judges it, as any payment. */
const settled = (
  command: AcceptEnrolment,
  state: Open,
  offer: MandateOffer,
  incoming: IncomingPayment,
  quote: Quote,
): Decision => {
  const paymentId = state.paymentId ?? command.paymentId
  if (state.failedPayments.includes(paymentId)) return reject({ _tag: 'PaymentIdSpent', paymentId })
  const settlement = settlementBy({ incoming, paymentId, late: false }, 0n, quote)
  return E.right([
    seen(command, offer),
    { type: 'CreditAccepted', data: { credit: incoming, paymentId } },
    { type: 'CheckoutSettled', data: settlement },
  ])
}

/** What came with a mandate that does not count goes back; another asset than was asked for is that before all else. */
const refused = (
  { mandate, credit: incoming }: AcceptEnrolment,
  state: CheckoutRecord,
  reason: EnrolmentRefusal,
  misfit: SetAsideReason = 'authorization_failed',
): Decision => {
  const { mandateId, contract, transactionHash, ledger, closedAt } = mandate
  const told: CheckoutEvent = {
    type: 'EnrolmentRefused',
    data: { mandateId, contract, ledger, closedAt, transactionHash, reason },
  }
  if (incoming === null || incoming.amount === 0n || hasSeen(state, incoming)) return E.right([told])
  const isAsset = incoming.assetId === state.details.assetId
  return E.right([told, unapplied(incoming, isAsset ? misfit : 'wrong_asset')])
}
