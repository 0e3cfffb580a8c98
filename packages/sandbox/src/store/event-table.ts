import type { SqlDatabase } from '@quittance/event-store'
import type { EventPosition, StoredEvent } from '../sandbox-api.ts'
import { bytesIn, integerIn, textIn } from './columns.ts'

/** Contract events, in order. */
export interface EventTable {
  readonly add: (event: Omit<StoredEvent, 'closeTime'>) => void
  /** Events after a position, up to a ledger, in order. */
  readonly behind: (position: EventPosition, lastLedger: number, limit: number) => ReadonlyArray<StoredEvent>
}

export const eventTable = (database: SqlDatabase): EventTable => {
  const insert = database.prepare('INSERT INTO sandbox_event VALUES (?, ?, ?, ?, ?)')
  const page = database.prepare(
    `SELECT e.*, l.close_time FROM sandbox_event e JOIN sandbox_ledger l ON l.sequence = e.ledger
     WHERE (e.ledger, e.application_order, e.place) > (?, ?, ?) AND e.ledger <= ?
     ORDER BY e.ledger, e.application_order, e.place LIMIT ?`,
  )
  return {
    add: ({ ledger, order, index, hash, event }) => void insert.run(ledger, order, index, hash, event),
    behind: ({ ledger, order, index }, lastLedger, limit) =>
      page.all(ledger, order, index, lastLedger, limit).map((row) => ({
        ledger: integerIn(row, 'ledger'),
        order: integerIn(row, 'application_order'),
        index: integerIn(row, 'place'),
        hash: textIn(row, 'hash'),
        event: bytesIn(row, 'event'),
        closeTime: integerIn(row, 'close_time'),
      })),
  }
}
