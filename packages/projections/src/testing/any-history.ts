import {
  accountSequence,
  booksId,
  Channel,
  Checkout,
  Credits,
  Customer,
  CustomerMerges,
  channelId,
  type Environment,
  Exception,
  Funding,
  Intent,
  LedgerTransaction,
  Limits,
  Merchant,
  OutflowApproval,
  Payment,
  Payout,
  PayoutBook,
  PayoutDestination,
  PriceChange,
  Product,
  positiveCount,
  Refund,
  stroops,
  Webhook,
} from '@quittance/domain'
import { accountOf } from '@quittance/domain/testing'
import * as any from '@quittance/domain/testing/any-command'
import { anyCreditsCommand } from '@quittance/domain/testing/any-credits'
import { anyCustomerMergesCommand } from '@quittance/domain/testing/any-customer-merges'
import { anyFundingCommand } from '@quittance/domain/testing/any-funding'
import { anyApprovalCommand, anyLimitsCommand } from '@quittance/domain/testing/any-limits'
import {
  anyChannelCommand,
  anyIntentCommand,
  anyLedgerTransactionCommand,
} from '@quittance/domain/testing/any-outgoing'
import {
  anyPayoutBookCommand,
  anyPayoutCommand,
  anyPayoutDestinationCommand,
} from '@quittance/domain/testing/any-payout'
import { anyPriceChangeCommand } from '@quittance/domain/testing/any-price-change'
import { anyRefundCommand, anyRefundedSale } from '@quittance/domain/testing/any-refund'
import { anyCheckoutEvent, anyExceptionEvent } from '@quittance/domain/testing/any-sale-event'
import { anyWebhookCommand } from '@quittance/domain/testing/any-webhook'
import fc from 'fast-check'
import type { writingTo } from './log.ts'

export type Log = ReturnType<typeof writingTo>
/** Writes something to a stream with a number of its own. */
export type Act = (log: Log, number: number, environment: Environment) => Promise<void>

const moment = { occurredAt: 1_700_000_000_000 }
export const idOf = (number: number): string => `id-${number}`
/** The confirmed payment of that number. */
export const saleOf = (number: number): string => `id-sale-${number}`
/** The first books of the customer and the product of that number. */
export const booksOf = (number: number): string =>
  booksId({ customerId: `cus_${number}`, productId: `prod_${number}` }, positiveCount(1))
/** The seventh sequence number of the account of that number. */
export const channelOfNumber = (number: number): string => channelId(accountOf(number), accountSequence(7n), number % 2)
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  any.anyMerchantCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(Merchant, idOf(n), given, { ...moment, environment }),
  ),
  any.anyProductCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(Product, idOf(n), given, { ...moment, environment }),
  ),
  any.anyCustomerCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(Customer, idOf(n), given, { ...moment, environment }),
  ),
  // Of one merchant: what several decide about the same customers could close to a circle.
  anyCustomerMergesCommand.map(
    (given): Act =>
      (log) =>
        log.give(CustomerMerges, `${idOf(1)}/testnet`, given, { ...moment, environment: 'testnet' }),
  ),
  any.anyPaymentCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(Payment, idOf(n), given, { ...moment, environment }),
  ),
  anyCreditsCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(Credits, booksOf(n), given, { ...moment, environment }),
  ),
  {
    weight: 2,
    arbitrary: anyRefundedSale.map(
      (commands): Act =>
        async (log, n, environment) => {
          for (const given of commands) await log.give(Payment, saleOf(n), given, { ...moment, environment })
        },
    ),
  },
  anyFundingCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(Funding, idOf(n), given, { ...moment, environment }),
  ),
  anyRefundCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(Refund, idOf(n), given, { ...moment, environment }),
  ),
  anyPayoutCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(Payout, idOf(n), given, { ...moment, environment }),
  ),
  anyPayoutBookCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(PayoutBook, idOf(n), given, { ...moment, environment }),
  ),
  anyLimitsCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(Limits, `${idOf(n)}/${environment}`, given, { ...moment, environment }),
  ),
  {
    weight: 2,
    arbitrary: anyApprovalCommand.map(
      (given): Act =>
        (log, n, environment) =>
          log.give(OutflowApproval, idOf(n), given, { ...moment, environment }),
    ),
  },
  anyPayoutDestinationCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(PayoutDestination, idOf(n), given, { ...moment, environment }),
  ),
  anyPriceChangeCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(PriceChange, idOf(n), given, { ...moment, environment }),
  ),
  {
    weight: 2,
    arbitrary: anyIntentCommand.map(
      (given): Act =>
        (log, n, environment) =>
          log.give(Intent, idOf(n), given, { ...moment, environment }),
    ),
  },
  {
    weight: 2,
    arbitrary: anyLedgerTransactionCommand.map(
      (given): Act =>
        (log, n, environment) =>
          log.give(LedgerTransaction, idOf(n), given, { ...moment, environment }),
    ),
  },
  anyChannelCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(Channel, channelOfNumber(n), given, { ...moment, environment }),
  ),
  anyWebhookCommand.map(
    (given): Act =>
      (log, n, environment) =>
        log.give(Webhook, idOf(n), given, { ...moment, environment }),
  ),
  anyCheckoutEvent.map(
    (event): Act =>
      (log, n, environment) => {
        // Sums of arbitrary credits would be more than an account can hold, which no decision lets through.
        const small =
          event.type === 'CreditAccepted'
            ? { ...event, data: { ...event.data, credit: { ...event.data.credit, amount: stroops(7n) } } }
            : event
        return log.occur(Checkout, idOf(n), small, { ...moment, environment })
      },
  ),
  anyExceptionEvent.map(
    (event): Act =>
      (log, n, environment) =>
        log.occur(Exception, idOf(n), event, { ...moment, environment }),
  ),
)
/** What is written, under which number, and in which environment. */
export type Step = readonly [Act, number: number, Environment]
export const anyStep: fc.Arbitrary<Step> = fc.tuple(
  anyAct,
  fc.integer({ min: 1, max: 3 }),
  fc.constantFrom<Environment>('testnet', 'mainnet'),
)
/** Commands and events of every category that a read model follows, each for one of a few streams. */
export const anyHistory = fc.array(anyStep, { minLength: 20, maxLength: 60 })

/** Writes a history to a log. */
export const write = async (log: Log, history: ReadonlyArray<Step>): Promise<void> => {
  for (const [act, number, environment] of history) await act(log, number, environment)
}
