import { Checkout, CheckoutId, InvoiceId, InvoiceSession, Reference } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import { sale } from '@quittance/domain/testing/checkout-examples'
import { inlineProjections, readModels } from './read-models.ts'
import { sqliteReading } from './reading.ts'
import { inlineMarks } from './rebuild/live-table.ts'
import { fileFeed } from './rebuild/log-feed.ts'
import { rebuildModel } from './rebuild/rebuild-model.ts'
import { openLog } from './testing/log.ts'
import { rowsIn, tableOf, writerOf } from './testing/tables.ts'

const [one, two] = [exampleId(Reference, 1), exampleId(Reference, 2)]
const [checkoutId, earlier] = [exampleId(CheckoutId, 1), exampleId(CheckoutId, 2)]
const invoiceId = exampleId(InvoiceId, 1)

describe('the references of sessions', () => {
  it('find a checkout or an invoice that was recorded with one, also after a rebuild from the log', async () => {
    const log = openLog(inlineProjections)
    const created = (details: typeof sale) => ({ type: 'CheckoutCreated' as const, data: details })
    await log.occur(Checkout, checkoutId, created({ ...sale, reference: one }))
    await log.occur(Checkout, checkoutId, { type: 'CheckoutExpired', data: { endedAt: sale.expiresAt } })
    await log.occur(Checkout, earlier, created(sale))
    await log.occur(InvoiceSession, invoiceId, created({ ...sale, reference: two }))
    const models = readModels(sqliteReading(log.store.reader))
    expect(await models.checkoutReferences.all()).toMatchObject([{ id: one, row: { sessionId: checkoutId } }])
    expect(await models.invoiceReferences.all()).toMatchObject([{ id: two, row: { sessionId: invoiceId } }])
    for (const name of ['checkout_references', 'invoice_references']) {
      const live = rowsIn(log.store.reader, tableOf(name))
      const site = {
        database: log.store.writer,
        marks: inlineMarks(log.store.writer),
        feedOf: ({ category }: { readonly category: string | null }) => fileFeed(log.store.writer, category, 100),
      }
      log.store.writer.execute(`DELETE FROM ${tableOf(name)}`)
      await rebuildModel(site, writerOf(name), { compareOnly: false, onProgress: () => undefined })
      expect(rowsIn(log.store.reader, tableOf(name))).toEqual(live)
    }
    log.store.close()
  })
})
