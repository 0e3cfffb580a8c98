import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import * as O from 'fp-ts/lib/Option.js'
import { access } from './access.ts'
import { approvals } from './approvals.ts'
import { channels } from './channels.ts'
import { checkouts } from './checkouts.ts'
import { creditBooks } from './credits.ts'
import { customers } from './customers.ts'
import { exceptions } from './exceptions.ts'
import { fundings } from './fundings.ts'
import { intents } from './intents.ts'
import { ledgerTransactions } from './ledger-transactions.ts'
import { merchants } from './merchants.ts'
import { payments } from './payments.ts'
import { priceChanges } from './price-changes.ts'
import { products } from './products.ts'
import { foldRow, type ReadModel } from './read-model.ts'
import { inlineProjections, readModels } from './read-models.ts'
import { refundClaims } from './refund-claims.ts'
import { refunds } from './refunds.ts'
import type { Table } from './table.ts'
import { anyHistory, booksOf, channelOfNumber, idOf, saleOf, write } from './testing/any-history.ts'
import { anyLife } from './testing/any-life.ts'
import { openLog } from './testing/log.ts'
import { allRows } from './testing/tables.ts'
import { webhooks } from './webhooks.ts'

describe('every read model', () => {
  it('lists what a retrieval folds from the stream, for any history', async () => {
    const check = async <Row>(
      log: ReturnType<typeof openLog>,
      model: ReadModel<Row>,
      table: Table<Row>,
      nameOf: (number: number) => string = idOf,
    ): Promise<void> => {
      const expected = await Promise.all(
        [1, 2, 3].map(async (n) => foldRow(model, (await log.read(`${model.category}-${nameOf(n)}`)).events)),
      )
      const shown = table.all().filter(({ id }) => [1, 2, 3].some((n) => id === nameOf(n)))
      expect(shown.map(({ row }) => row)).toEqual(expected.flatMap((row) => (O.isSome(row) ? [row.value] : [])))
    }
    await fc.assert(
      fc.asyncProperty(anyHistory, async (history) => {
        const log = openLog(inlineProjections)
        await write(log, history)
        const models = readModels(log.store.reader)
        await check(log, merchants, models.merchants)
        await check(log, products, models.products)
        await check(log, priceChanges, models.priceChanges)
        await check(log, customers, models.customers)
        await check(log, checkouts, models.checkouts)
        await check(log, payments, models.payments)
        await check(log, access, models.access)
        await check(log, refunds, models.refunds)
        await check(log, refundClaims, models.refundClaims)
        await check(log, refundClaims, models.refundClaims, saleOf)
        await check(log, payments, models.payments, saleOf)
        await check(log, access, models.access, saleOf)
        await check(log, approvals, models.approvals)
        await check(log, exceptions, models.exceptions)
        await check(log, fundings, models.fundings)
        await check(log, webhooks, models.webhooks)
        await check(log, intents, models.intents)
        await check(log, ledgerTransactions, models.ledgerTransactions)
        await check(log, channels, models.channels, channelOfNumber)
        await check(log, creditBooks, models.creditBooks, booksOf)
        log.store.close()
      }),
      { numRuns: 60, seed: 20_261_101 },
    )
  })

  it('is the same after it was rebuilt from the log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-projections-'))
    const path = join(folder, 'log.db')
    const history = fc.sample(anyHistory, { numRuns: 60, seed: 20_261_103 }).flat()
    const first = openLog(inlineProjections, path)
    await write(first, history)
    // Customers of arbitrary histories may all be deleted in the end.
    const [alive] = fc.sample(
      any.anyCustomerCommand.filter(({ type }) => type === 'CreateCustomer'),
      { numRuns: 1, seed: 1 },
    )
    if (alive !== undefined) await first.give(Customer, idOf(4), alive)
    // Merchants of arbitrary histories may have no key and no account, or leave.
    const isWanted = (wanted: MerchantCommand['type']) => (each: MerchantCommand) =>
      each.type === wanted &&
      (each.type !== 'CreateApiKey' || each.key.kind === 'secret') &&
      (!('environment' in each) || each.environment === 'testnet')
    for (const wanted of ['CreateMerchant', 'CreateApiKey', 'SetSettlementAccount', 'RequestSetUp'] as const)
      for (const command of fc.sample(any.anyMerchantCommand.filter(isWanted(wanted)), { numRuns: 1, seed: 1 }))
        await first.give(Merchant, idOf(4), command)
    // Few exceptions are about what nothing explains.
    const unexplainedOpened = anyExceptionEvent.filter(
      (each) => each.type === 'ExceptionOpened' && each.data.kind === 'unexplained',
    )
    for (const event of fc.sample(unexplainedOpened, { numRuns: 1, seed: 1 }))
      await first.occur(Exception, idOf(4), event)
    // Few lives lose revenue.
    const losing = anyLife.filter((life) =>
      life.some(({ event: { data } }) => 'lost' in data && data.lost !== undefined),
    )
    const lives = [
      ...fc.sample(anyLife, { numRuns: 30, seed: 20_261_101 }),
      ...fc.sample(losing, { numRuns: 1, seed: 20_261_101 }),
    ]
    for (const [index, life] of lives.entries()) {
      const events = life.map(({ event }) => Subscription.events.encodeEvent(event))
      await first.append(`subscription-${exampleId(SubscriptionId, index)}`, events)
    }
    // Rows that only well-formed ids have.
    const created = (number: number) => ({
      type: 'CheckoutCreated' as const,
      data: { ...sale, reference: exampleId(Reference, number) },
    })
    await first.occur(Checkout, exampleId(CheckoutId, 1), created(1))
    // Few histories offer a mandate.
    await first.occur(Checkout, exampleId(CheckoutId, 1), offered(offer))
    await first.occur(InvoiceSession, exampleId(InvoiceId, 1), created(2))
    const customerId = exampleId(CustomerId, 1)
    const nobody = { profile: null, emailHash: null, phoneHash: null }
    await first.occur(Customer, customerId, { type: 'CustomerCreated', data: nobody })
    const walletId = exampleId(WalletId, 1)
    const wallet = { walletId, address: payerAccount, metadata: null, via: 'proof' as const }
    await first.occur(Customer, customerId, { type: 'WalletLinked', data: wallet })
    for (const command of fc.sample(anyRefundedSale, { numRuns: 1, seed: 1 }).flat())
      await first.give(Payment, exampleId(PaymentId, 1), command)
    const bearing = anyPaymentEvent.filter(({ type, data }) => type === 'PaymentConfirmed' && 'platformFee' in data)
    const opened = anyPaymentEvent.filter(({ type }) => type === 'PaymentOpened')
    for (const event of [opened, bearing].flatMap((each) => fc.sample(each, { numRuns: 1, seed: 1 })))
      await first.occur(Payment, exampleId(PaymentId, 2), event)
    for (const wanted of ['NetworkResetBegun', 'NetworkResetCompleted'])
      for (const event of fc.sample(
        anyLedgerIngestionEvent.filter(({ type }) => type === wanted),
        { numRuns: 1, seed: 1 },
      ))
        await first.occur(LedgerIngestion, 'testnet', event)
    const before = allRows(first.store.reader)
    for (const { name, version } of inlineProjections) first.store.writer.execute(`DROP TABLE ${name}_${version}`)
    first.store.writer.execute('DELETE FROM inline_projections')
    first.store.close()
    const second = openLog(inlineProjections, path)
    expect(allRows(second.store.reader)).toEqual(before)
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])
    second.store.close()
    rmSync(folder, { recursive: true })
  })
})
