import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { OutflowApproval } from './approval/index.ts'
import { Channel } from './channel/index.ts'
import { Credits } from './credits/index.ts'
import { Customer } from './customer/index.ts'
import { CustomerMerges } from './customer-merges/index.ts'
import { Freezes } from './freeze/index.ts'
import { Funding } from './funding/index.ts'
import { Intent } from './intent/index.ts'
import { LedgerTransaction } from './ledger-transaction/index.ts'
import { Limits } from './limits/index.ts'
import { Merchant } from './merchant/index.ts'
import { Migrations } from './migration/index.ts'
import { Payment } from './payment/index.ts'
import { Payout } from './payout/index.ts'
import { PayoutBook } from './payout-book/index.ts'
import { PayoutDestination } from './payout-destination/index.ts'
import { PriceChange } from './price-change/index.ts'
import { Product } from './product/index.ts'
import { Refund } from './refund/index.ts'
import { Reservation } from './reservation/index.ts'
import { Holds } from './screening/index.ts'
import type { Decider } from './shared/decider.ts'
import { Team } from './team/index.ts'
import * as some from './testing/any-command.ts'
import { anyCreditsCommand } from './testing/any-credits.ts'
import { anyCustomerMergesCommand } from './testing/any-customer-merges.ts'
import { anyFreezeCommand } from './testing/any-freeze.ts'
import { anyFundingCommand } from './testing/any-funding.ts'
import { anyApprovalCommand, anyLimitsCommand } from './testing/any-limits.ts'
import { anyMigrationCommand } from './testing/any-migration.ts'
import { anyChannelCommand, anyIntentCommand, anyLedgerTransactionCommand } from './testing/any-outgoing.ts'
import { anyPayoutBookCommand, anyPayoutCommand, anyPayoutDestinationCommand } from './testing/any-payout.ts'
import { anyPriceChangeCommand } from './testing/any-price-change.ts'
import { anyRefundCommand } from './testing/any-refund.ts'
import { anyScreeningCommand } from './testing/any-screening.ts'
import { anyTeamCommand } from './testing/any-team.ts'
import { anyWebhookCommand } from './testing/any-webhook.ts'
import { Webhook } from './webhook/index.ts'

/**
 * Runs commands one after the other. `evolve` follows every event that is caused, or throws; a command that was
 * accepted is given again at once and then causes nothing, save one whose repetition is the point.
 */
const runs =
  <Command, Event, State, Rejection>(
    { initial, evolve, decide }: Decider<Command, Event, State, Rejection>,
    isRepeatable: (command: Command) => boolean = () => false,
  ) =>
  (commands: ReadonlyArray<Command>): void => {
    commands.reduce((state, command) => {
      const decision = decide(command)(state)
      if (E.isLeft(decision)) return state
      const next = decision.right.reduce(evolve, state)
      if (!isRepeatable(command)) expect(decide(command)(next)).toEqual(E.right([]))
      return next
    }, initial)
  }

const many = <Command>(command: fc.Arbitrary<Command>) => fc.array(command, { maxLength: 40, size: 'max' })
const thorough = { numRuns: 300 }

describe('any accepted command, repeated at once, records nothing', () => {
  it('for a merchant', () => fc.assert(fc.property(many(some.anyMerchantCommand), runs(Merchant.decider)), thorough))
  it('for a product', () => fc.assert(fc.property(many(some.anyProductCommand), runs(Product.decider)), thorough))
  it('for a customer, except that forfeiting an email records another fence', () =>
    fc.assert(
      fc.property(
        many(some.anyCustomerCommand),
        runs(Customer.decider, ({ type }) => type === 'ForfeitEmail'),
      ),
      thorough,
    ))
  it('for merges of customers', () =>
    fc.assert(fc.property(many(anyCustomerMergesCommand), runs(CustomerMerges.decider)), thorough))
  it('for a reservation', () =>
    fc.assert(fc.property(many(some.anyReservationCommand), runs(Reservation.decider)), thorough))
  it('for a payment', () => fc.assert(fc.property(many(some.anyPaymentCommand), runs(Payment.decider)), thorough))
  it('for holds', () => fc.assert(fc.property(many(anyScreeningCommand), runs(Holds.decider)), thorough))
  it('for freezes', () => fc.assert(fc.property(many(anyFreezeCommand), runs(Freezes.decider)), thorough))
  it('for migrations', () => fc.assert(fc.property(many(anyMigrationCommand), runs(Migrations.decider)), thorough))
  it('for funding', () => fc.assert(fc.property(many(anyFundingCommand), runs(Funding.decider)), thorough))
  it('for a refund', () => fc.assert(fc.property(many(anyRefundCommand), runs(Refund.decider)), thorough))
  it('for a payout', () => fc.assert(fc.property(many(anyPayoutCommand), runs(Payout.decider)), thorough))
  it('for the payouts of an asset', () =>
    fc.assert(fc.property(many(anyPayoutBookCommand), runs(PayoutBook.decider)), thorough))
  it('for limits, except that an outflow that waits is judged again', () =>
    fc.assert(
      fc.property(
        many(anyLimitsCommand),
        runs(Limits.decider, ({ type }) => type === 'AdmitOutflow'),
      ),
      thorough,
    ))
  it('for an approval', () => fc.assert(fc.property(many(anyApprovalCommand), runs(OutflowApproval.decider)), thorough))
  it('for a payout destination', () =>
    fc.assert(fc.property(many(anyPayoutDestinationCommand), runs(PayoutDestination.decider)), thorough))
  it('for a price change', () =>
    fc.assert(fc.property(many(anyPriceChangeCommand), runs(PriceChange.decider)), thorough))
  it('for a team', () => fc.assert(fc.property(many(anyTeamCommand), runs(Team.decider)), thorough))
  it('for credits', () => fc.assert(fc.property(many(anyCreditsCommand), runs(Credits.decider)), thorough))
  it('for a webhook endpoint', () => fc.assert(fc.property(many(anyWebhookCommand), runs(Webhook.decider)), thorough))
  it('for an intent', () => fc.assert(fc.property(many(anyIntentCommand), runs(Intent.decider)), thorough))
  it('for a sequence number', () => fc.assert(fc.property(many(anyChannelCommand), runs(Channel.decider)), thorough))
  it('for a ledger transaction', () =>
    fc.assert(fc.property(many(anyLedgerTransactionCommand), runs(LedgerTransaction.decider)), thorough))
})
