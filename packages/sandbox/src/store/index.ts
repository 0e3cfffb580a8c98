import type { SqlDatabase } from '@quittance/event-store'
import { type BanTable, banTable } from './ban-table.ts'
import { type EntryTable, entryTable } from './entry-table.ts'
import { type EventTable, eventTable } from './event-table.ts'
import { type LedgerTable, ledgerTable } from './ledger-table.ts'
import { type QueueTable, queueTable } from './queue-table.ts'
import { type TransactionTable, transactionTable } from './transaction-table.ts'

/** All stored state except the clock. None of it is cached in memory, so that processes can share a database. */
export type Store = {
  readonly entries: EntryTable
  readonly ledgers: LedgerTable
  readonly transactions: TransactionTable
  readonly events: EventTable
  readonly queue: QueueTable
  readonly bans: BanTable
}

export const storeIn = (database: SqlDatabase): Store => ({
  entries: entryTable(database),
  ledgers: ledgerTable(database),
  transactions: transactionTable(database),
  events: eventTable(database),
  queue: queueTable(database),
  bans: banTable(database),
})
