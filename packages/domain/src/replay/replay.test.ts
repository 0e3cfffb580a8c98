import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { OutflowApproval } from '../approval/index.ts'
import { Channel } from '../channel/index.ts'
import { Checkout } from '../checkout/index.ts'
import { Credits } from '../credits/index.ts'
import { Customer } from '../customer/index.ts'
import { CustomerMerges } from '../customer-merges/index.ts'
import { Freezes } from '../freeze/index.ts'
import { Funding } from '../funding/index.ts'
import { Intent, type IntentCommand } from '../intent/index.ts'
import { LedgerTransaction } from '../ledger-transaction/index.ts'
import { Limits } from '../limits/index.ts'
import { Merchant } from '../merchant/index.ts'
import { Migrations } from '../migration/index.ts'
import { Payment } from '../payment/index.ts'
import { Payout } from '../payout/index.ts'
import { PayoutBook } from '../payout-book/index.ts'
import { PayoutDestination } from '../payout-destination/index.ts'
import { PriceChange } from '../price-change/index.ts'
import { Product } from '../product/index.ts'
import { Refund } from '../refund/index.ts'
import { Reservation } from '../reservation/index.ts'
import { Holds } from '../screening/index.ts'
import type { Aggregate } from '../shared/aggregate.ts'
import { RefundId } from '../shared/ids.ts'
import { noMetadata } from '../shared/metadata.ts'
import { stroops } from '../shared/stroops.ts'
import { UnixMs } from '../shared/units.ts'
import { Subscription } from '../subscription/index.ts'
import { Team } from '../team/index.ts'
import * as some from '../testing/any-command.ts'
import { anyCreditsCommand } from '../testing/any-credits.ts'
import { anyCustomerMergesCommand } from '../testing/any-customer-merges.ts'
import { anyFreezeCommand } from '../testing/any-freeze.ts'
import { anyFundingCommand } from '../testing/any-funding.ts'
import { anyApprovalCommand, anyLimitsCommand } from '../testing/any-limits.ts'
import { anyMigrationCommand } from '../testing/any-migration.ts'
import { anyChannelCommand, anyIntentCommand, anyLedgerTransactionCommand } from '../testing/any-outgoing.ts'
import { anyPayoutBookCommand, anyPayoutCommand, anyPayoutDestinationCommand } from '../testing/any-payout.ts'
import { anyPriceChangeCommand } from '../testing/any-price-change.ts'
import { anyRefundCommand, anyRefundedSale } from '../testing/any-refund.ts'
import { anyScreeningCommand } from '../testing/any-screening.ts'
import { anyLife, live } from '../testing/any-subscription-life.ts'
import { anyTeamCommand } from '../testing/any-team.ts'
import { anyWebhookCommand } from '../testing/any-webhook.ts'
import { accepted, completed, created, creditOf, quoted, settledBy } from '../testing/checkout-examples.ts'
import { exampleId, start } from '../testing/examples.ts'
import { confirmedPayment, exampleConfirmation } from '../testing/payment-examples.ts'
import { authorizationOf, begun, on, policy } from '../testing/subscription-examples.ts'
import { lifeOf } from '../testing/subscription-life.ts'
import { Webhook } from '../webhook/index.ts'
import { judgeOf, type StreamJudge } from './index.ts'

const judgeFor = ({ category }: { readonly category: string }): StreamJudge => {
  const judge = judgeOf(`${category}-one`)
  if (judge === null) throw new Error(`${category} is none of ours`)
  return judge
}

/** Records what commands decide, one append for each, and judges it. */
const judged =
  <Command extends object, Event, State, Rejection>(aggregate: Aggregate<Command, Event, State, Rejection>) =>
  (commands: ReadonlyArray<Command>): void => {
    const { initial, evolve, decide } = aggregate.decider
    const judge = judgeFor(aggregate)
    commands.reduce((state, command) => {
      const decision = decide(command)(state)
      if (E.isLeft(decision) || decision.right.length === 0) return state
      const append = decision.right.map(aggregate.events.encodeEvent)
      expect({ command, problems: judge.append(append, timeOf(command)) }).toEqual({ command, problems: [] })
      return decision.right.reduce(evolve, state)
    }, initial)
  }

const timeOf = (command: object): UnixMs => ('at' in command && UnixMs.is(command.at) ? command.at : start)

const unbumped = (command: IntentCommand): IntentCommand =>
  command.type === 'SettleIntent' || command.type === 'RefuseIntent'
    ? { ...command, transactionHash: command.attachedTo }
    : command

const many = <Command>(command: fc.Arbitrary<Command>) => fc.array(command, { maxLength: 40, size: 'max' })
const always = <Command extends object, Event, State, Rejection>(
  aggregate: Aggregate<Command, Event, State, Rejection>,
  commands: fc.Arbitrary<ReadonlyArray<Command>>,
) => fc.assert(fc.property(commands, judged(aggregate)), { numRuns: 200 })

describe('what commands have recorded is judged to be so', () => {
  it('for a merchant', () => always(Merchant, many(some.anyMerchantCommand)))
  it('for a product', () => always(Product, many(some.anyProductCommand)))
  it('for a customer', () => always(Customer, many(some.anyCustomerCommand)))
  it('for merges of customers', () => always(CustomerMerges, many(anyCustomerMergesCommand)))
  it('for a reservation', () => always(Reservation, many(some.anyReservationCommand)))
  it('for a payment', () => always(Payment, many(some.anyPaymentCommand)))
  it('for a payment that is refunded', () => always(Payment, anyRefundedSale))
  it('for holds', () => always(Holds, many(anyScreeningCommand)))
  it('for freezes', () => always(Freezes, many(anyFreezeCommand)))
  it('for migrations', () => always(Migrations, many(anyMigrationCommand)))
  it('for funding', () => always(Funding, many(anyFundingCommand)))
  it('for a refund', () => always(Refund, many(anyRefundCommand)))
  it('for a payout', () => always(Payout, many(anyPayoutCommand)))
  it('for the payouts of an asset', () => always(PayoutBook, many(anyPayoutBookCommand)))
  it('for limits', () => always(Limits, many(anyLimitsCommand)))
  it('for a team', () => always(Team, many(anyTeamCommand)))
  it('for an approval', () => always(OutflowApproval, many(anyApprovalCommand)))
  it('for a payout destination', () => always(PayoutDestination, many(anyPayoutDestinationCommand)))
  it('for a price change', () => always(PriceChange, many(anyPriceChangeCommand)))
  it('for credits', () => always(Credits, many(anyCreditsCommand)))
  it('for a webhook endpoint', () => always(Webhook, many(anyWebhookCommand)))
  it('for an intent, whose transaction a ledger holds without another one around it', () =>
    always(Intent, many(anyIntentCommand.map(unbumped))))
  it('for a sequence number', () => always(Channel, many(anyChannelCommand)))
  it('for a ledger transaction', () => always(LedgerTransaction, many(anyLedgerTransactionCommand)))

  it('for any life of a subscription', () =>
    fc.assert(
      fc.property(anyLife, (script) => {
        const history = live(script).history.map(Subscription.events.encodeEvent)
        expect(judgeFor(Subscription).append(history, start)).toEqual([])
      }),
      { numRuns: 300 },
    ))
})

it('judges a request as possible that had to wait until another one was withdrawn', () => {
  const life = lifeOf(begun(on('2027-01-28'), { trialDays: 1 }), policy, () => 'allowance_too_low')
  const { mandateId } = life.state.authorization.mandate
  life.give({ type: 'RequestMigration', authorizationId: authorizationOf(1), mandateId, at: life.now })
  life.wakeAt(life.now)
  life.give({ type: 'WithdrawMigration', at: life.now })
  life.wakeAt(life.now)
  expect(life.history.at(-1)).toMatchObject({ type: 'AuthorizationRequested', data: { why: 'foreseen' } })
  expect(misjudged(Subscription, ...life.history.map((event) => [event]))).toEqual([])
})

/** The events that no command could have recorded, each event in an append of its own unless they are given together. */
const misjudged = <Command, Event extends { readonly type: string }, State, Rejection>(
  aggregate: Aggregate<Command, Event, State, Rejection>,
  ...appends: ReadonlyArray<ReadonlyArray<Event>>
): ReadonlyArray<string> => {
  const judge = judgeFor(aggregate)
  return appends.flatMap((append) =>
    judge
      .append(append.map(aggregate.events.encodeEvent), start)
      .map(({ place, problem }) => `${append[place]?.type}: ${problem}`),
  )
}
const [opened, credited, confirmed] = confirmedPayment.map((event) => [event])
const impossible = 'no command could have recorded this here'

describe('what no command can have recorded is named', () => {
  const payment = [opened ?? [], credited ?? []]
  const whole = [...payment, confirmed ?? []]

  it('a payment that was confirmed by more than came', () => {
    const data = { ...exampleConfirmation, amount: stroops(exampleConfirmation.amount + 1n) }
    expect(misjudged(Payment, ...payment, [{ type: 'PaymentConfirmed', data }])).toEqual([
      `PaymentConfirmed: ${impossible}`,
    ])
  })

  it('a payment that was confirmed without any money', () => {
    expect(misjudged(Payment, opened ?? [], confirmed ?? [])).toEqual([`PaymentConfirmed: ${impossible}`])
  })

  it('a payment that was refunded without a refund, and nothing after what cannot follow at all', () => {
    const refunded = { type: 'PaymentRefunded' as const, data: { refundId: exampleId(RefundId, 1), refundedAt: start } }
    expect(misjudged(Payment, ...whole, [refunded], [refunded])).toEqual([`PaymentRefunded: ${impossible}`])
  })

  it('a second refund beside one that is under way', () => {
    const claim = (number: number) => ({
      type: 'RefundClaimed' as const,
      data: {
        refundId: exampleId(RefundId, number),
        destination: exampleConfirmation.payer,
        reason: null,
        metadata: noMetadata,
        claimedAt: start,
      },
    })
    expect(misjudged(Payment, ...whole, [claim(1)])).toEqual([])
    expect(misjudged(Payment, ...whole, [claim(1)], [claim(2)])).toEqual([`RefundClaimed: ${impossible}`])
  })

  it('a checkout that was settled for less than its price', () => {
    const [enough, short] = [creditOf(100_000_000n), creditOf(99_999_999n)]
    expect(misjudged(Checkout, [created, quoted], [accepted(enough), settledBy(enough)], [completed])).toEqual([])
    expect(misjudged(Checkout, [created, quoted], [accepted(short), settledBy(short)])).toEqual([
      `CheckoutSettled: ${impossible}`,
    ])
  })

  it('what a command records together, where a part of it is missing', () => {
    const enough = creditOf(100_000_000n)
    expect(misjudged(Checkout, [created, quoted], [accepted(enough)])).toEqual([`CreditAccepted: ${impossible}`])
  })

  it('an event that its stream does not know', () => {
    expect(judgeFor(Payment).append([{ type: 'PaymentForged', schemaVersion: 1, data: {} }], start)).toEqual([
      { place: 0, problem: 'is no event of its stream: unknown type or schema version' },
    ])
  })

  it('any charge of a subscription that is recorded a second time', () =>
    fc.assert(
      fc.property(anyLife, (script) => {
        const { history } = live(script)
        const paid = history.filter(({ type }) => type === 'ChargeConfirmed' || type === 'InvoiceSettled')
        for (const again of paid)
          expect(misjudged(Subscription, history, [again])).toEqual([`${again.type}: ${impossible}`])
      }),
      { numRuns: 50 },
    ))

  it('any charge of a subscription after its end', () =>
    fc.assert(
      fc.property(anyLife, (script) => {
        const { history } = live(script)
        const attempted = history.findLast(({ type }) => type === 'ChargeAttempted')
        const isCanceled = history.some(({ type }) => type === 'SubscriptionCanceled')
        if (attempted === undefined || !isCanceled) return
        expect(misjudged(Subscription, history, [attempted])).toEqual([`ChargeAttempted: ${impossible}`])
      }),
      { numRuns: 50 },
    ))
})
