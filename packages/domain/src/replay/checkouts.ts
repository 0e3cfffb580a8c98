import type { Checkout, SeenMandate } from '../checkout/index.ts'
import { Checkout as Session } from '../checkout/index.ts'
import type { Behind } from './behind.ts'
import { anyPayment, anySubscription, most } from './fillers.ts'

type Explain = Behind<typeof Checkout>
type State = Parameters<Explain>[0]
type Event = Parameters<Explain>[1]
type Command = ReturnType<Explain>[number]
type Of<Type extends Event['type']> = Extract<Event, { readonly type: Type }>['data']

/** Also of an invoice, which is a session too. */
export const behindCheckout: Explain = (state, event, next, at) => {
  const { type, data } = event
  switch (type) {
    case 'CheckoutCreated': {
      const quoted = next[0]?.type === 'QuoteIssued' ? next[0].data.validFrom : at
      return [{ type: 'CreateCheckout', ...data, at: quoted }]
    }
    case 'QuoteIssued':
      return quoting(data, next)
    case 'CustomerAttached':
      return [{ type: 'AttachCustomer', ...data }]
    case 'MandateOffered':
      return [{ type: 'OfferMandate', at, offer: data }]
    case 'EnrolmentSeen':
      return enrolling(state, data, next)
    case 'EnrolmentRefused':
      return refusing(state, data, next)
    case 'TransactionSubmitted':
      return [{ type: 'SubmitTransaction', at, ...data }]
    case 'TransactionDied':
      return [{ type: 'RecordDeadTransaction', ...data }]
    case 'CreditAccepted':
      return [{ type: 'AcceptCredit', ...data, requote: null }]
    case 'CreditSetAside':
      return [{ type: 'AcceptCredit', credit: data.credit, paymentId: anyPayment, requote: null }]
    case 'CheckoutCompleted':
      return [{ type: 'CompleteCheckout', paymentId: data.paymentId }]
    case 'CheckoutCompletedUnpaid':
      return [{ type: 'CompleteCheckout', paymentId: null }]
    case 'CheckoutExpired':
      return [{ type: 'EndSession', at: data.endedAt, cause: 'merchant' }, ...afterEnd(state, event, next, at)]
    case 'CheckoutFailed': {
      const { reason, endedAt } = data
      const ended: Command = { type: 'EndSession', at: endedAt, cause: 'merchant' }
      const failed: ReadonlyArray<Command> =
        reason === 'underpaid' || reason === 'wrong_asset' ? [] : [{ type: 'FailSession', at: endedAt, reason }]
      return [ended, ...failed, ...afterEnd(state, event, next, at)]
    }
    case 'PaymentAttemptFailed':
    case 'CheckoutSettled':
      return []
  }
}

/** What came too late ends the session in the same decision. */
const afterEnd: Explain = (state, event, [second, ...next], at) =>
  second === undefined || state.status !== 'open'
    ? []
    : behindCheckout(Session.decider.evolve(state, event), second, next, at)

const quoting = (
  { amount, excessFloor, rates, validFrom }: Of<'QuoteIssued'>,
  [second]: ReadonlyArray<Event>,
): ReadonlyArray<Command> =>
  [true, false].flatMap((pegged): ReadonlyArray<Command> => {
    const quote = { amount, pegged, excessFloor, rates }
    if (second?.type === 'CreditAccepted') return [{ type: 'AcceptCredit', ...second.data, requote: quote }]
    if (second?.type === 'CreditSetAside')
      return [{ type: 'AcceptCredit', credit: second.data.credit, paymentId: anyPayment, requote: quote }]
    return [{ type: 'IssueQuote', at: validFrom, quote }]
  })

type Place = Pick<SeenMandate, 'mandateId' | 'contract' | 'transactionHash' | 'ledger' | 'closedAt'>

/** The mandates that the ledger may have shown: as one of the offers has it, or as none does. */
const mandates = (state: State, place: Place): ReadonlyArray<SeenMandate> => {
  const { mandateId, contract, transactionHash, ledger, closedAt } = place
  const offers = state.status === 'absent' ? [] : state.offers
  const seen = offers
    .filter((each) => each.mandateId === mandateId && each.contract === contract)
    .map((each) => ({ ...each, endsAt: null, transactionHash, ledger, closedAt }))
  return [...seen, unoffered(place)]
}

const unoffered = ({ mandateId, contract, transactionHash, ledger, closedAt }: Place): SeenMandate => ({
  ...{ mandateId, contract, customer: '', payee: '', operator: '', token: contract, cap: most },
  ...{ interval: 'month', intervalCount: 1, firstChargeAt: closedAt, endsAt: null, firstAmount: 0n },
  ...{ allowance: 0n, allowanceExpiryLedger: 0, transactionHash, ledger, closedAt },
})

const enrolling = (
  state: State,
  { subscriptionId, ...place }: Of<'EnrolmentSeen'>,
  [second]: ReadonlyArray<Event>,
): ReadonlyArray<Command> =>
  mandates(state, place).map((mandate) => ({
    ...{ type: 'AcceptEnrolment', mandate, isTrialFree: true, isSubscribed: false, subscriptionId },
    ...(second?.type === 'CreditAccepted' ? second.data : { credit: null, paymentId: anyPayment }),
  }))

const refusing = (
  state: State,
  place: Of<'EnrolmentRefused'>,
  [second]: ReadonlyArray<Event>,
): ReadonlyArray<Command> => {
  const credit = second?.type === 'CreditSetAside' ? second.data.credit : null
  return mandates(state, place).flatMap((mandate) =>
    [true, false].flatMap((isTrialFree) =>
      [true, false].map((isSubscribed): Command => {
        const ids = { paymentId: anyPayment, subscriptionId: anySubscription }
        return { type: 'AcceptEnrolment', mandate, credit, isTrialFree, isSubscribed, ...ids }
      }),
    ),
  )
}
