import {
  Checkout,
  CheckoutId,
  Customer,
  CustomerId,
  Exception,
  InvoiceId,
  InvoiceSession,
  LedgerIngestion,
  Merchant,
  type MerchantCommand,
  Payment,
  PaymentId,
  Reference,
  Subscription,
  SubscriptionId,
  WalletId,
} from '@quittance/domain'
import { exampleId, payerAccount } from '@quittance/domain/testing'
import * as any from '@quittance/domain/testing/any-command'
import { anyRefundedSale } from '@quittance/domain/testing/any-refund'
import { anyExceptionEvent, anyLedgerIngestionEvent, anyPaymentEvent } from '@quittance/domain/testing/any-sale-event'
import { offer, offered, sale } from '@quittance/domain/testing/checkout-examples'
import fc from 'fast-check'
import { anyHistory, idOf, type Log, write } from './any-history.ts'
import { anyLife } from './any-life.ts'

/** Writes a history that leaves a row in every table. */
export const writeEverything = async (log: Log): Promise<void> => {
  const history = fc.sample(anyHistory, { numRuns: 60, seed: 20_261_103 }).flat()
  await write(log, history)
  // Customers of arbitrary histories may all be deleted in the end.
  const [alive] = fc.sample(
    any.anyCustomerCommand.filter(({ type }) => type === 'CreateCustomer'),
    { numRuns: 1, seed: 1 },
  )
  if (alive !== undefined) await log.give(Customer, idOf(4), alive)
  // Merchants of arbitrary histories may have no key and no account, or leave.
  const isWanted = (wanted: MerchantCommand['type']) => (each: MerchantCommand) =>
    each.type === wanted &&
    (each.type !== 'CreateApiKey' || each.key.kind === 'secret') &&
    (!('environment' in each) || each.environment === 'testnet')
  for (const wanted of ['CreateMerchant', 'CreateApiKey', 'SetSettlementAccount', 'RequestSetUp'] as const)
    for (const command of fc.sample(any.anyMerchantCommand.filter(isWanted(wanted)), { numRuns: 1, seed: 1 }))
      await log.give(Merchant, idOf(4), command)
  // Few exceptions are about what nothing explains.
  const unexplainedOpened = anyExceptionEvent.filter(
    (each) => each.type === 'ExceptionOpened' && each.data.kind === 'unexplained',
  )
  for (const event of fc.sample(unexplainedOpened, { numRuns: 1, seed: 1 })) await log.occur(Exception, idOf(4), event)
  // Few lives lose revenue.
  const losing = anyLife.filter((life) => life.some(({ event: { data } }) => 'lost' in data && data.lost !== undefined))
  const lives = [
    ...fc.sample(anyLife, { numRuns: 30, seed: 20_261_101 }),
    ...fc.sample(losing, { numRuns: 1, seed: 20_261_101 }),
  ]
  for (const [index, life] of lives.entries()) {
    const events = life.map(({ event }) => Subscription.events.encodeEvent(event))
    await log.append(`subscription-${exampleId(SubscriptionId, index)}`, events)
  }
  // Rows that only well-formed ids have.
  const created = (number: number) => ({
    type: 'CheckoutCreated' as const,
    data: { ...sale, reference: exampleId(Reference, number) },
  })
  await log.occur(Checkout, exampleId(CheckoutId, 1), created(1))
  // Few histories offer a mandate.
  await log.occur(Checkout, exampleId(CheckoutId, 1), offered(offer))
  await log.occur(InvoiceSession, exampleId(InvoiceId, 1), created(2))
  const customerId = exampleId(CustomerId, 1)
  const nobody = { profile: null, emailHash: null, phoneHash: null }
  await log.occur(Customer, customerId, { type: 'CustomerCreated', data: nobody })
  const walletId = exampleId(WalletId, 1)
  const wallet = { walletId, address: payerAccount, metadata: null, via: 'proof' as const }
  await log.occur(Customer, customerId, { type: 'WalletLinked', data: wallet })
  for (const command of fc.sample(anyRefundedSale, { numRuns: 1, seed: 1 }).flat())
    await log.give(Payment, exampleId(PaymentId, 1), command)
  const bearing = anyPaymentEvent.filter(({ type, data }) => type === 'PaymentConfirmed' && 'platformFee' in data)
  const opened = anyPaymentEvent.filter(({ type }) => type === 'PaymentOpened')
  for (const event of [opened, bearing].flatMap((each) => fc.sample(each, { numRuns: 1, seed: 1 })))
    await log.occur(Payment, exampleId(PaymentId, 2), event)
  for (const wanted of ['NetworkResetBegun', 'NetworkResetCompleted'])
    for (const event of fc.sample(
      anyLedgerIngestionEvent.filter(({ type }) => type === wanted),
      { numRuns: 1, seed: 1 },
    ))
      await log.occur(LedgerIngestion, 'testnet', event)
}
