import { Credits } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { type CreditTransactionRow, creditTransactions, type Found, type ReadModels } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { everyRow } from '../../services/every-row.ts'
import { LogUnreadable } from './log-unreadable.ts'

/** Finds the stream of an entry among the periods of its account's books, the newest first. */
export const streamOfEntry =
  (log: Pick<EventStore, 'readStream'>, { creditBooks }: Pick<ReadModels, 'creditBooks'>) =>
  async (entry: Found<CreditTransactionRow>): Promise<string | null> => {
    const { merchantId, environment } = entry
    const books = everyRow((request) => creditBooks.page({ ...request, listedUnder: entry.row.account }), {
      merchantId,
      environment,
    })
    for await (const { id } of books) {
      const stream = `${Credits.category}-${id}`
      const slice = await log.readStream(stream)()
      if (E.isLeft(slice)) throw new LogUnreadable(slice.left.cause)
      if (slice.right.events.some((event) => creditTransactions.rowOf?.(event) === entry.id)) return stream
    }
    return null
  }
