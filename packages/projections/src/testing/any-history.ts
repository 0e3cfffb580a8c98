import {
  booksId,
  Checkout,
  Credits,
  Customer,
  type Environment,
  Exception,
  Merchant,
  Payment,
  Product,
  positiveCount,
  stroops,
  Webhook,
} from '@quittance/domain'
import fc from 'fast-check'
import * as any from '../../../domain/src/testing/any-command.ts'
import { anyCreditsCommand } from '../../../domain/src/testing/any-credits.ts'
import { anyCheckoutEvent, anyExceptionEvent } from '../../../domain/src/testing/any-sale-event.ts'
import { anyWebhookCommand } from '../../../domain/src/testing/any-webhook.ts'
import type { writingTo } from './log.ts'

type Log = ReturnType<typeof writingTo>
/** Writes something to a stream with a number of its own. */
type Act = (log: Log, number: number, environment: Environment) => Promise<void>

const moment = { occurredAt: 1_700_000_000_000 }
export const idOf = (number: number): string => `id-${number}`
/** The first books of the customer and the product of that number. */
export const booksOf = (number: number): string =>
  booksId({ customerId: `cus_${number}`, productId: `prod_${number}` }, positiveCount(1))
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
        return log.append(`checkout-${idOf(n)}`, [Checkout.events.encodeEvent(small)], { ...moment, environment })
      },
  ),
  anyExceptionEvent.map(
    (event): Act =>
      (log, n, environment) =>
        log.append(`exception-${idOf(n)}`, [Exception.events.encodeEvent(event)], { ...moment, environment }),
  ),
)
/** Commands and events of every category that a read model follows, each for one of a few streams. */
export const anyHistory = fc.array(
  fc.tuple(anyAct, fc.integer({ min: 1, max: 3 }), fc.constantFrom<Environment>('testnet', 'mainnet')),
  { minLength: 20, maxLength: 60 },
)

type Step = typeof anyHistory extends fc.Arbitrary<ReadonlyArray<infer A>> ? A : never

/** Writes a history to a log. */
export const write = async (log: Log, history: ReadonlyArray<Step>): Promise<void> => {
  for (const [act, number, environment] of history) await act(log, number, environment)
}
