import { stroops } from '../shared/stroops.ts'
import { hourMs, minuteMs, positiveCount, unixMs } from '../shared/units.ts'
import { accountOf, contractOf } from '../testing/account.ts'
import {
  accept,
  accepted,
  after,
  created,
  creditOf,
  deadline,
  enrol,
  enrolled,
  exact,
  expired,
  firstPayment,
  notEnrolled,
  offer,
  offered,
  quote,
  secondPayment,
  settledBy,
  signed,
  submitted,
  submittedFor,
  subscribing,
  subscriptionSale,
  trialOffer,
  unapplied,
} from '../testing/checkout-examples.ts'
import { eurc, hashOf, start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Checkout, type CheckoutCommand, type CheckoutEvent, type SeenMandate } from './index.ts'

const { given } = scenario(Checkout.decider)
const { expiresAt: _, ...asked } = subscriptionSale
const propose: CheckoutCommand = { type: 'OfferMandate', at: start, offer }
const open = [...subscribing, offered(offer), offered(trialOffer)]
const paid = [...open, enrolled(offer), accepted(exact), settledBy(exact)]
const trial = [...open, enrolled(trialOffer)]
const other = creditOf(100_000_000n, 5)
const late: SeenMandate = { ...signed(offer), closedAt: deadline }
const lateCredit = { ...exact, closedAt: deadline }
/** A second quote, by so much dearer. */
const requoted = (byMuch: bigint, fromMs: number): CheckoutEvent => ({
  type: 'QuoteIssued',
  data: {
    ...quote,
    ordinal: positiveCount(2),
    amount: stroops(quote.amount + byMuch),
    validFrom: after(fromMs),
    validUntil: after(fromMs + 5 * minuteMs),
  },
})
const failed: CheckoutEvent = {
  type: 'CheckoutFailed',
  data: { reason: 'authorization_failed', paymentId: null, endedAt: deadline },
}

describe('a checkout of a subscription', () => {
  it('records the interval and the trial of a subscription', () =>
    given([])
      .when({ type: 'CreateCheckout', at: start, ...asked })
      .then([{ type: 'CheckoutCreated', data: subscriptionSale }]))
  it('rejects a subscription without a product', () =>
    given([])
      .when({ type: 'CreateCheckout', at: start, ...asked, kind: 'direct', productId: null, priceVersion: null })
      .rejects({ _tag: 'ProductMismatch' }))
})

describe('offering a mandate', () => {
  it('records an offered mandate', () =>
    given(subscribing)
      .when(propose)
      .then([offered(offer)]))
  it('records nothing when the same mandate is offered again', () => given(open).when(propose).then([]))
  it('rejects a mandate where no subscription is sold', () =>
    given([created]).when(propose).rejects({ _tag: 'NotASubscription' }))
  it('rejects a mandate before there is a customer', () =>
    given([{ type: 'CheckoutCreated', data: { ...subscriptionSale, customerId: null } }])
      .when(propose)
      .rejects({ _tag: 'CustomerNeeded' }))
  it.each([[{ at: deadline }], [{ offer: { ...offer, maxTime: deadline } }]])(
    'rejects a mandate that could outlive the session: %#',
    (differing) =>
      given(subscribing)
        .when({ ...propose, ...differing })
        .rejects({ _tag: 'DeadlinePassed', expiresAt: deadline }),
  )
  it('accepts a mandate whose last second is the session’s last', () =>
    given(subscribing)
      .when({ ...propose, offer: { ...offer, maxTime: after(24 * hourMs - 1) } })
      .then([offered({ ...offer, maxTime: after(24 * hourMs - 1) })]))
})

describe('offered mandates that wait for a signature', () => {
  const waiting = (count: number) =>
    Array.from({ length: count }, (_, number) => offered({ ...offer, transactionHash: hashOf(900 + number) }))
  it('limits offers that wait for a signature to twenty, even when one is repeated', () => {
    given([...subscribing, ...waiting(19)])
      .when(propose)
      .then([offered(offer)])
    given([...subscribing, ...waiting(20)])
      .when(propose)
      .rejects({ _tag: 'OffersExhausted', until: offer.maxTime })
    given([...subscribing, ...waiting(19), offered(offer)])
      .when(propose)
      .then([])
  })
  it('frees the places of dead offers', () => {
    const at = unixMs(offer.maxTime + 1)
    const next = { ...offer, maxTime: unixMs(at + 1000) }
    given([...subscribing, ...waiting(20)])
      .when({ ...propose, at, offer: next })
      .then([offered(next)])
  })
})

describe('a mandate on the ledger that equals an offered one', () => {
  it('settles the session with the first amount of the offered mandate', () =>
    given(open)
      .when(enrol(signed(offer), exact))
      .then([enrolled(offer), accepted(exact), settledBy(exact)]))
  it('assigns the mandate to the payment that its submission opened', () =>
    given([...open, submittedFor(secondPayment)])
      .when(enrol(signed(offer), exact))
      .then([enrolled(offer), accepted(exact, secondPayment), settledBy(exact, { paymentId: secondPayment })]))
  it('begins a trial without any money', () =>
    given(open)
      .when(enrol(signed(trialOffer), null))
      .then([enrolled(trialOffer)]))
  it('accepts the mandate with a higher allowance', () =>
    given(open)
      .when(enrol({ ...signed(trialOffer), allowance: 2n ** 100n }, null))
      .then([enrolled(trialOffer)]))
  it('accepts the mandate in another transaction, such as a fee bump', () => {
    const elsewhere = { ...signed(trialOffer), transactionHash: hashOf(8) }
    given(open)
      .when(enrol(elsewhere, null))
      .then([enrolled(trialOffer, { transactionHash: hashOf(8) })])
  })
  it('records nothing when the same mandate is read again', () => {
    given(paid)
      .when(enrol(signed(offer), exact))
      .then([])
    given(trial)
      .when(enrol(signed(trialOffer), null))
      .then([])
  })
  it('refuses a mandate without its first amount, or with another', () => {
    const seen = signed(offer)
    given(open)
      .when(enrol(seen, null))
      .then([notEnrolled(seen, 'unpaid')])
    const less = creditOf(99_999_999n)
    given(open)
      .when(enrol(seen, less))
      .then([notEnrolled(seen, 'unpaid'), unapplied(less, 'authorization_failed')])
  })
  it('refuses a trial where the customer has had one', () =>
    given(open)
      .when({ ...enrol(signed(trialOffer), null), isTrialFree: false })
      .then([notEnrolled(signed(trialOffer), 'trial_taken')]))
  it('refuses a second subscription of a product that allows one, and returns what it paid', () => {
    given(open)
      .when({ ...enrol(signed(offer), exact), isSubscribed: true })
      .then([notEnrolled(signed(offer), 'already_subscribed'), unapplied(exact, 'paid_twice')])
    given(open)
      .when({ ...enrol(signed(trialOffer), null), isSubscribed: true })
      .then([notEnrolled(signed(trialOffer), 'already_subscribed')])
    given(paid)
      .when({ ...enrol(signed(offer), exact), isSubscribed: true })
      .then([])
  })
})

describe('the price of a mandate that equals an offered one', () => {
  const at = (ms: number, mandate = offer): SeenMandate => ({ ...signed(mandate), closedAt: after(ms) })
  const graceMs = 2 * minuteMs
  const quoteEnd = quote.validUntil - start
  it.each([
    ['before its quote began by another clock', -minuteMs],
    ['with the last grace of its quote', quoteEnd + graceMs],
  ])('counts %s', (_, ms) => {
    given(open)
      .when(enrol(at(ms, trialOffer), null))
      .then([enrolled(trialOffer, { closedAt: after(ms) })])
  })
  it.each([
    ['a millisecond after the grace of its quote', quoteEnd + graceMs + 1],
    ['twenty hours later', 20 * hourMs],
  ])('does not count %s: the session stays open, and the money goes back', (_, ms) => {
    const stale = at(ms)
    given(open)
      .when(enrol(stale, exact))
      .then([notEnrolled(stale, 'stale_price'), unapplied(exact, 'authorization_failed')])
    const trialled = at(ms, trialOffer)
    given(open)
      .when(enrol(trialled, null))
      .then([notEnrolled(trialled, 'stale_price')])
  })
  it('does not count below the lowest quote that is valid by then', () => {
    const [stale, trialled] = [at(20 * hourMs), at(20 * hourMs, trialOffer)]
    const dearer = [...open, requoted(1n, 20 * hourMs)]
    given(dearer)
      .when(enrol(stale, exact))
      .then([notEnrolled(stale, 'stale_price'), unapplied(exact, 'authorization_failed')])
    given(dearer)
      .when(enrol(trialled, null))
      .then([notEnrolled(trialled, 'stale_price')])
  })
  it('counts by its own quote in the grace of that, although the next is higher', () => {
    const seen = at(quoteEnd + graceMs)
    const credit = { ...exact, closedAt: seen.closedAt }
    given([...open, requoted(1n, quoteEnd)])
      .when(enrol(seen, credit))
      .then([enrolled(offer, { closedAt: seen.closedAt }), accepted(credit), settledBy(credit)])
  })
  it('counts by a lower quote, and returns an excess as of any payment', () => {
    const seen = at(20 * hourMs)
    const credit = { ...exact, closedAt: seen.closedAt }
    const fifth = quote.amount / 5n
    const settledFor = { amountDue: stroops(quote.amount - fifth), excess: stroops(fifth) }
    given([...open, requoted(-fifth, 20 * hourMs)])
      .when(enrol(seen, credit))
      .then([enrolled(offer, { closedAt: seen.closedAt }), accepted(credit), settledBy(credit, settledFor)])
  })
})

describe('a mandate unlike every offered one', () => {
  const differences: ReadonlyArray<[string, Partial<SeenMandate>]> = [
    ['contract', { contract: contractOf(7) }],
    ['id, hence reference', { mandateId: trialOffer.mandateId }],
    ['customer', { customer: accountOf(7) }],
    ['payee', { payee: accountOf(7) }],
    ['operator', { operator: contractOf(7) }],
    ['token', { token: contractOf(7) }],
    ['cap', { cap: offer.cap - 1n }],
    ['cap', { cap: 2n ** 120n }],
    ['interval', { interval: 'year' }],
    ['interval count', { intervalCount: 2 }],
    ['first charge time', { firstChargeAt: after(1000) }],
    ['first amount', { firstAmount: offer.firstAmount - 1n }],
    ['end', { endsAt: after(365 * 24 * hourMs) }],
    ['allowance', { allowance: offer.allowance - 1n }],
    ['allowance expiry', { allowanceExpiryLedger: offer.allowanceExpiryLedger - 1 }],
  ]
  it.each(differences)('ignores a mandate with another %s, and sets its money aside', (_name, differing) => {
    const seen = { ...signed(offer), ...differing }
    given(open)
      .when(enrol(seen, exact))
      .then([notEnrolled(seen, 'not_offered'), unapplied(exact, 'authorization_failed')])
  })
  it('ignores a mandate before any was offered', () =>
    given(subscribing)
      .when(enrol(signed(offer), exact))
      .then([notEnrolled(signed(offer), 'not_offered'), unapplied(exact, 'authorization_failed')]))
  it('ignores a mandate where no subscription is sold', () =>
    given([created])
      .when(enrol(signed(offer), exact))
      .then([notEnrolled(signed(offer), 'not_offered'), unapplied(exact, 'authorization_failed')]))
  it('treats money in another asset as such before it looks at the mandate', () => {
    const euros = { ...exact, assetId: eurc }
    given(open)
      .when(enrol({ ...signed(offer), token: contractOf(7) }, euros))
      .then([notEnrolled({ ...signed(offer), token: contractOf(7) }, 'not_offered'), unapplied(euros, 'wrong_asset')])
  })
  it('leaves the session open for a mandate that counts', () => {
    const altered = { ...signed(offer), cap: 1n, transactionHash: hashOf(5) }
    given([...open, notEnrolled(altered, 'not_offered'), unapplied(other, 'authorization_failed')])
      .when(enrol(signed(offer), exact))
      .then([enrolled(offer), accepted(exact), settledBy(exact)])
  })
})

describe('a second mandate for the same session', () => {
  const second: SeenMandate = { ...signed({ ...offer, customer: accountOf(7) }), transactionHash: hashOf(5) }
  it('ignores a second mandate, and sets its money aside as paid twice', () =>
    given(paid)
      .when(enrol(second, other))
      .then([notEnrolled(second, 'already_enrolled'), unapplied(other, 'paid_twice')]))
  it('ignores a second mandate beside a trial', () =>
    given(trial)
      .when(enrol(second, other))
      .then([notEnrolled(second, 'already_enrolled'), unapplied(other, 'paid_twice')]))
})

describe('a mandate from the deadline on', () => {
  it('ends the session before a mandate at the deadline, which is late', () =>
    given(open)
      .when(enrol(late, lateCredit))
      .then([expired, notEnrolled(late, 'session_over'), unapplied(lateCredit, 'late')]))
  it('counts a mandate in a ledger that closed just before the deadline', () => {
    const seen = { ...signed(trialOffer), closedAt: after(24 * hourMs - 1000) }
    given([...open, requoted(0n, 24 * hourMs - minuteMs)])
      .when(enrol(seen, null))
      .then([enrolled(trialOffer, { closedAt: seen.closedAt })])
  })
  it('sets a mandate aside after its session has failed', () =>
    given([...open, failed])
      .when(enrol(late, lateCredit))
      .then([notEnrolled(late, 'session_over'), unapplied(lateCredit, 'after_failure')]))
})

describe('money for a subscription without a mandate', () => {
  it('sets money without a mandate aside while the session is open', () =>
    given(open)
      .when(accept(exact))
      .then([unapplied(exact, 'authorization_failed')]))
  it('treats money without a mandate as late after the end of the session', () =>
    given([...open, expired])
      .when(accept(lateCredit))
      .then([unapplied(lateCredit, 'late')]))
  it('treats money without a mandate as paid twice once a mandate counts', () => {
    given(paid)
      .when(accept(other))
      .then([unapplied(other, 'paid_twice')])
    given(trial)
      .when(accept(other))
      .then([unapplied(other, 'paid_twice')])
  })
  it('records nothing for money that the mandate brought', () => given(paid).when(accept(exact)).then([]))
})

describe('the end of a session in which a subscription was sold', () => {
  const end: CheckoutCommand = { type: 'EndSession', at: deadline, cause: 'deadline' }
  it('expires a subscription session to which nothing came', () => given(open).when(end).then([expired]))
  it('fails a session whose mandate did not count', () =>
    given([...open, notEnrolled({ ...signed(offer), cap: 1n }, 'not_offered')])
      .when(end)
      .then([failed]))
  it('fails a session that got money without a mandate', () =>
    given([...open, unapplied(exact, 'authorization_failed')])
      .when(end)
      .then([failed]))
  it('rejects the end once a trial has begun', () =>
    given(trial).when(end).rejects({ _tag: 'CompletionUnderWay', paymentId: null }))
})

describe('completing a trial', () => {
  const complete: CheckoutCommand = { type: 'CompleteCheckout', paymentId: null }
  const completed: CheckoutEvent = { type: 'CheckoutCompletedUnpaid', data: { completedAt: exact.closedAt } }
  it('completes a trial at the close time of the mandate’s ledger', () => given(trial).when(complete).then([completed]))
  it('records nothing when the completion of a trial is repeated', () =>
    given([...trial, completed])
      .when(complete)
      .then([]))
  it('rejects completing a trial with a payment', () =>
    given(trial)
      .when({ type: 'CompleteCheckout', paymentId: firstPayment })
      .rejects({ _tag: 'OtherPayment', paymentId: null }))
  it('rejects completing a paid session as a trial', () =>
    given(paid).when(complete).rejects({ _tag: 'OtherPayment', paymentId: firstPayment }))
})

describe('relaying a signed mandate', () => {
  const relay: CheckoutCommand = {
    type: 'SubmitTransaction',
    at: start,
    transactionHash: offer.transactionHash,
    maxTime: after(5 * minuteMs),
    paymentId: firstPayment,
  }
  it('opens a payment for a mandate that pays at once', () => given(open).when(relay).then([submitted]))
  it.each([trialOffer.transactionHash, hashOf(7)])(
    'rejects relaying a transaction that brings no payment: %s',
    (transactionHash) =>
      given(open)
        .when({ ...relay, transactionHash })
        .rejects({ _tag: 'MandateNotOffered', transactionHash }),
  )
})
