import {
  type AccountId,
  type Environment,
  Exception,
  Intent,
  Payment,
  Payout,
  type RecordedEvent,
  Refund,
  unixMs,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type PaidFor, paidFor } from '../../features/outgoing/paid-for.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { bookFee, bookFunding, bookSettlementAccount } from './book-account.ts'
import { bookException } from './book-exception.ts'
import { bookOutgoing, type OutgoingFacts } from './book-outgoing.ts'
import { bookPayment } from './book-payment.ts'
import type { Booking } from './entry.ts'
import { journalFact, subjectOf } from './journal-facts.ts'
import type { RecordedValues } from './recorded-values.ts'

/** What a booking needs beside its event. `ownerOf` names the merchant that is paid at an account. */
export type BookingFacts = {
  readonly store: Services['store']
  readonly environment: Environment
  readonly setUpBalance: bigint
  readonly ownerOf: ReadonlyMap<AccountId, string>
  readonly values: RecordedValues
}

/** What an event does, and to whose accounts. */
export type Booked = { readonly merchantId: string; readonly booking: Booking }

/**
 * What an event does to the accounts of the merchant whom it concerns; null for nothing. Apart from the event, it reads the
 * streams that the event names, so it is the same whatever was read before.
 */
export const bookEvent = async (
  facts: BookingFacts,
  recorded: RecordedEvent,
): Promise<E.Either<StoreUnavailable, Booked | null>> => {
  const fact = journalFact(recorded)
  const { merchantId } = recorded.metadata
  const id = subjectOf(recorded)
  const occurredAt = unixMs(recorded.metadata.occurredAt)
  const own = (booking: Booking | null) => E.right(booking === null ? null : { merchantId, booking })
  switch (fact?._tag) {
    case undefined:
      return E.right(null)
    case 'merchant':
      return own(bookSettlementAccount(fact.event, facts.environment, facts.setUpBalance, occurredAt))
    case 'funding':
      return own(bookFunding(id, fact.event))
    case 'transaction': {
      const fee = bookFee(fact.event)
      const owner = fee === null ? undefined : facts.ownerOf.get(fee.account)
      return E.right(fee === null || owner === undefined ? null : { merchantId: owner, booking: fee.booking })
    }
    case 'payment': {
      if (!isBooked.has(fact.event.type)) return E.right(null)
      const payment = await stateOf(facts.store)(Payment, id)
      if (E.isLeft(payment)) return payment
      const { state } = payment.right
      return state.status === 'absent' ? E.right(null) : own(bookPayment(id, state, fact.event, occurredAt))
    }
    case 'exception': {
      if (!isBooked.has(fact.event.type)) return E.right(null)
      const exception = await stateOf(facts.store)(Exception, id)
      if (E.isLeft(exception)) return exception
      const { state } = exception.right
      if (state.status === 'absent') return E.right(null)
      const { paymentId } = state.details
      const payment = paymentId === null ? E.right(null) : await stateOf(facts.store)(Payment, paymentId)
      if (E.isLeft(payment)) return payment
      return own(bookException(id, state, fact.event, payment.right?.state ?? null, occurredAt))
    }
    case 'intent': {
      if (fact.event.type !== 'IntentSettled') return E.right(null)
      const intent = await stateOf(facts.store)(Intent, id)
      if (E.isLeft(intent)) return intent
      const { state } = intent.right
      const paid = state.status === 'absent' ? null : paidFor(state.details)
      if (paid === null) return E.right(null)
      const known = await outgoingFacts(facts, merchantId, paid)
      return E.isLeft(known) ? known : own(bookOutgoing(paid, fact.event.data, known.right))
    }
  }
}

/** The events for which other streams have to be read. */
const isBooked: ReadonlySet<string> = new Set([
  'PaymentCredited',
  'PaymentConfirmed',
  'ReturnClaimed',
  'ExceptionOpened',
  'ExceptionResolved',
])

const outgoingFacts = async (
  { store, environment, values }: BookingFacts,
  merchantId: string,
  { tag, id }: PaidFor,
): Promise<E.Either<StoreUnavailable, OutgoingFacts>> => {
  const none: OutgoingFacts = {
    refunded: Payment.decider.initial,
    payout: Payout.decider.initial,
    cents: null,
  }
  if (tag === 'return') return E.right(none)
  const cents = await values.of({ merchantId, environment }, id)
  if (E.isLeft(cents)) return cents
  if (tag === 'payout') {
    const payout = await stateOf(store)(Payout, id)
    return E.isLeft(payout) ? payout : E.right({ ...none, payout: payout.right.state, cents: cents.right })
  }
  const refund = await stateOf(store)(Refund, id)
  if (E.isLeft(refund)) return refund
  const { state } = refund.right
  if (state.status === 'absent') return E.right({ ...none, cents: cents.right })
  const payment = await stateOf(store)(Payment, state.details.paymentId)
  if (E.isLeft(payment)) return payment
  return E.right({ ...none, refunded: payment.right.state, cents: cents.right })
}
