import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { CustomerId, PaymentId } from '../shared/ids.ts'
import type { IncomingPayment } from '../shared/incoming-payment.ts'
import { stroops } from '../shared/stroops.ts'
import { hourMs, minuteMs } from '../shared/units.ts'
import { orNothing, record } from '../testing/arbitraries.ts'
import {
  after,
  creditOf,
  enrol,
  newQuote,
  offer,
  sale,
  signed,
  subscriptionSale,
  trialOffer,
} from '../testing/checkout-examples.ts'
import { eurc, exampleId, hashOf, start, usdc } from '../testing/examples.ts'
import { Checkout, type CheckoutCommand, type CheckoutEvent, type CheckoutState, type NewQuote } from './index.ts'

const { initial, evolve, decide } = Checkout.decider
const one = fc.constantFrom

// Times around every boundary of a session, amounts around those of its price.
const anyTime = one(0, minuteMs, 17 * minuteMs, 24 * hourMs - 1000, 24 * hourMs, 30 * hourMs, 48 * hourMs).map(after)
const anyAmount = one(0n, 1n, 40_000_000n, 99_999_999n, 100_000_000n, 100_500_000n, 101_000_001n, 2n ** 63n - 1n).map(
  stroops,
)
const anyPayment = one(1, 2, 3).map((number) => exampleId(PaymentId, number))
const anyTransaction = one(1, 2, 3, 4, 5, 6).map(hashOf)
const anyQuote: fc.Arbitrary<NewQuote> = record({
  amount: one(90_000_000n, 100_000_000n, 110_000_000n).map(stroops),
  pegged: fc.boolean(),
  excessFloor: one(null, newQuote.excessFloor),
  rates: fc.constant([]),
})
const anyCredit: fc.Arbitrary<IncomingPayment> = record({
  number: fc.integer({ min: 1, max: 6 }),
  amount: anyAmount,
  closedAt: anyTime,
  assetId: one(usdc, usdc, usdc, eurc),
}).map(({ number, amount, closedAt, assetId }) => ({ ...creditOf(amount, number), closedAt, assetId }))

const { expiresAt: _, ...asked } = sale
const { expiresAt: _deadline, ...subscription } = subscriptionSale
const anyCreation: fc.Arbitrary<CheckoutCommand> = record({
  sold: one(asked, asked, subscription),
  price: one(sale.price, { _tag: 'asset' as const, stroops: stroops(100_000_000n) }),
  underpaymentTolerance: one(0n, 0n, 5n).map(stroops),
}).map(({ sold, ...differing }) => ({ type: 'CreateCheckout', at: start, ...sold, ...differing }))

const anyAcceptance = record({ credit: anyCredit, paymentId: anyPayment, requote: orNothing(anyQuote) }).map(
  (fields): CheckoutCommand => ({ type: 'AcceptCredit', ...fields }),
)
/** Mandates that were offered, or nearly; the same one brings the same. */
const anyEnrolment = record({
  number: fc.integer({ min: 1, max: 6 }),
  closedAt: anyTime,
  mandate: one(offer, trialOffer),
  cap: one(offer.cap, offer.cap, 1n),
  isTrialFree: fc.boolean(),
  isSubscribed: one(false, false, true),
  paymentId: anyPayment,
}).map(({ number, closedAt, mandate, cap, ...known }): CheckoutCommand => {
  const credit = mandate === trialOffer ? null : { ...creditOf(100_000_000n, number), closedAt }
  return { ...enrol({ ...signed(mandate), cap, closedAt, transactionHash: hashOf(number) }, credit), ...known }
})
const anyCommand: fc.Arbitrary<CheckoutCommand> = fc.oneof(
  { weight: 3, arbitrary: anyEnrolment },
  {
    weight: 2,
    arbitrary: one(offer, trialOffer).map((each) => ({ type: 'OfferMandate' as const, at: start, offer: each })),
  },
  { weight: 6, arbitrary: anyAcceptance },
  anyCreation,
  record({ at: anyTime, quote: anyQuote }).map((fields) => ({ type: 'IssueQuote' as const, ...fields })),
  one(1, 2).map((number) => ({ type: 'AttachCustomer' as const, customerId: exampleId(CustomerId, number) })),
  record({ at: anyTime, transactionHash: anyTransaction, maxTime: anyTime, paymentId: anyPayment }).map((fields) => ({
    type: 'SubmitTransaction' as const,
    ...fields,
  })),
  anyTransaction.map((transactionHash) => ({ type: 'RecordDeadTransaction' as const, transactionHash })),
  anyPayment.map((paymentId) => ({ type: 'CompleteCheckout' as const, paymentId })),
  record({ at: anyTime, cause: one('deadline' as const, 'merchant' as const) }).map((fields) => ({
    type: 'EndSession' as const,
    ...fields,
  })),
  record({ at: anyTime, reason: one('authorization_failed' as const, 'product_unavailable' as const) }).map(
    (fields) => ({ type: 'FailSession' as const, ...fields }),
  ),
)
const anySession = fc
  .tuple(anyCreation, fc.array(anyCommand, { maxLength: 40, size: 'max' }))
  .map(([creation, rest]) => [creation, ...rest])

type Run = { readonly state: CheckoutState; readonly events: ReadonlyArray<CheckoutEvent> }

/** Gives the commands one after the other, and looks at each step. */
const run = (
  commands: ReadonlyArray<CheckoutCommand>,
  look: (command: CheckoutCommand, before: CheckoutState, run: Run) => void = () => {},
): Run =>
  commands.reduce<Run>(
    ({ state, events }, command) => {
      const decision = decide(command)(state)
      if (E.isLeft(decision)) return { state, events }
      const next = { state: decision.right.reduce(evolve, state), events: [...events, ...decision.right] }
      look(command, state, next)
      return next
    },
    { state: initial, events: [] },
  )

const thorough = { numRuns: 1000 }
const sum = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((total, amount) => total + amount, 0n)
const keyOf = ({ transactionHash, operationIndex }: IncomingPayment): string => `${transactionHash} ${operationIndex}`

describe('any commands in any order', () => {
  it('records nothing when any accepted command is repeated at once', () =>
    fc.assert(
      fc.property(anySession, (commands) => {
        run(commands, (command, _before, { state }) => expect(decide(command)(state)).toEqual(E.right([])))
      }),
      thorough,
    ))

  it('accepts or sets aside every incoming payment exactly once', () =>
    fc.assert(
      fc.property(anySession, (commands) => {
        const taken = new Map<string, bigint>()
        const { state } = run(commands, (command) => {
          const credit = command.type === 'AcceptCredit' || command.type === 'AcceptEnrolment' ? command.credit : null
          if (credit === null || credit.amount === 0n) return
          if (!taken.has(keyOf(credit))) taken.set(keyOf(credit), credit.amount)
        })
        if (state.status === 'absent') throw new Error('the session was created')
        const kept = [...state.accepted, ...state.setAside.map(({ credit }) => credit)]
        expect(new Map(kept.map((credit) => [keyOf(credit), credit.amount]))).toEqual(taken)
        expect(kept).toHaveLength(taken.size)
        expect(state.received).toBe(sum(state.accepted.map(({ amount }) => amount)))
      }),
      thorough,
    ))

  it('settles at most once, and names the whole amount received', () =>
    fc.assert(
      fc.property(anySession, (commands) => {
        const { events, state } = run(commands)
        const settlements = events.flatMap((event) => (event.type === 'CheckoutSettled' ? [event.data] : []))
        expect(settlements.length).toBeLessThanOrEqual(1)
        for (const { amountDue, received, excess, overpaid } of settlements) {
          if (state.status === 'absent') throw new Error('the session was created')
          expect(received).toBe(state.received)
          expect(excess === 0n || overpaid === 0n).toBe(true)
          expect(received + state.details.underpaymentTolerance).toBeGreaterThanOrEqual(amountDue)
          const price = received < amountDue ? received : amountDue
          expect(price + overpaid + excess).toBe(received)
        }
      }),
      thorough,
    ))

  it('accepts nothing for a failed payment, and has one payment at a time', () =>
    fc.assert(
      fc.property(anySession, (commands) => {
        const { events } = run(commands)
        const failed = new Set<string>()
        let current: string | null = null
        for (const { type, data } of events) {
          if (type === 'PaymentAttemptFailed') {
            failed.add(data.paymentId)
            current = null
          }
          if (type === 'CreditAccepted' || type === 'TransactionSubmitted') {
            expect(failed).not.toContain(data.paymentId)
            expect([null, data.paymentId]).toContain(current)
            current = data.paymentId
          }
        }
      }),
      thorough,
    ))

  it('fails a session for another asset only if that came by the deadline', () =>
    fc.assert(
      fc.property(anySession, (commands) => {
        const { state } = run(commands)
        if (state.status !== 'failed' || state.reason !== 'wrong_asset') return
        const { setAside, details } = state
        expect(setAside.some(({ credit }) => credit.closedAt < details.expiresAt)).toBe(true)
      }),
      thorough,
    ))

  it('settles or begins a subscription once, by an offered mandate', () =>
    fc.assert(
      fc.property(anySession, (commands) => {
        const { events, state } = run(commands)
        if (state.status === 'absent') throw new Error('the session was created')
        const offered = state.offers.map(({ transactionHash }) => transactionHash)
        const counting = events.flatMap((event) => (event.type === 'EnrolmentSeen' ? [event.data.offered] : []))
        expect(counting.length).toBeLessThanOrEqual(1)
        expect(counting.filter((hash) => !offered.includes(hash))).toEqual([])
        if (state.details.subscription !== undefined) {
          const isOver = ['settled', 'enrolled', 'completed'].includes(state.status)
          expect(counting).toHaveLength(isOver ? 1 : 0)
        }
      }),
      thorough,
    ))

  it('never leaves completed or failed, and leaves expired only by one late payment', () =>
    fc.assert(
      fc.property(anySession, (commands) => {
        run(commands, (_command, before, { state }) => {
          if (before.status === 'completed' || before.status === 'failed') expect(state.status).toBe(before.status)
          if (before.status === 'expired') expect(['expired', 'settled']).toContain(state.status)
          if (before.status === 'settled') expect(['settled', 'completed']).toContain(state.status)
          if (before.status === 'enrolled') expect(['enrolled', 'completed']).toContain(state.status)
        })
      }),
      thorough,
    ))
})
