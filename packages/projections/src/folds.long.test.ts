import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { sqliteReading } from './reading.ts'
import { refundClaims } from './refund-claims.ts'
import { refunds } from './refunds.ts'
import type { Table } from './table.ts'
import { anyHistory, booksOf, channelOfNumber, idOf, saleOf, write } from './testing/any-history.ts'
import { writeEverything } from './testing/every-row.ts'
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
      const shown = (await table.all()).filter(({ id }) => [1, 2, 3].some((n) => id === nameOf(n)))
      expect(shown.map(({ row }) => row)).toEqual(expected.flatMap((row) => (O.isSome(row) ? [row.value] : [])))
    }
    await fc.assert(
      fc.asyncProperty(anyHistory, async (history) => {
        const log = openLog(inlineProjections)
        await write(log, history)
        const models = readModels(sqliteReading(log.store.reader))
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
    const first = openLog(inlineProjections, path)
    await writeEverything(first)
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
