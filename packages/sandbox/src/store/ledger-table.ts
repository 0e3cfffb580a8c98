import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import type { LedgerSummary, StoredLedger } from '../sandbox-api.ts'
import { bytesIn, integerIn, textIn } from './columns.ts'

type LedgerRange = { readonly oldest: LedgerSummary; readonly latest: LedgerSummary }

export interface LedgerTable {
  readonly add: (ledger: StoredLedger) => void
  readonly latest: () => StoredLedger | undefined
  /** The first and the last stored ledger. */
  readonly range: () => LedgerRange
  readonly from: (sequence: number, limit: number) => ReadonlyArray<StoredLedger>
  readonly prune: (firstKept: number) => void
}

const ledgerIn = (row: SqlRow): StoredLedger => ({
  sequence: integerIn(row, 'sequence'),
  hash: textIn(row, 'hash'),
  closeTime: integerIn(row, 'close_time'),
  meta: bytesIn(row, 'meta'),
})

const placeIn = (row: SqlRow | undefined): LedgerSummary => {
  if (row === undefined) throw new Error('the sandbox holds no ledger')
  return { sequence: integerIn(row, 'sequence'), closeTime: integerIn(row, 'close_time') }
}

export const ledgerTable = (database: SqlDatabase): LedgerTable => {
  const insert = database.prepare('INSERT INTO sandbox_ledger (sequence, hash, close_time, meta) VALUES (?, ?, ?, ?)')
  const last = database.prepare('SELECT * FROM sandbox_ledger ORDER BY sequence DESC LIMIT 1')
  // Without metas, which may be megabytes: every clock reading runs this query.
  const places = 'SELECT sequence, close_time FROM sandbox_ledger ORDER BY sequence'
  const firstPlace = database.prepare(`${places} LIMIT 1`)
  const lastPlace = database.prepare(`${places} DESC LIMIT 1`)
  const page = database.prepare('SELECT * FROM sandbox_ledger WHERE sequence >= ? ORDER BY sequence LIMIT ?')
  const dropLedgers = database.prepare('DELETE FROM sandbox_ledger WHERE sequence < ?')
  const dropBumps = database.prepare(
    'DELETE FROM sandbox_fee_bump WHERE hash IN (SELECT hash FROM sandbox_transaction WHERE ledger < ?)',
  )
  const dropContractFees = database.prepare('DELETE FROM sandbox_contract_fee WHERE ledger < ?')
  const dropEvents = database.prepare('DELETE FROM sandbox_event WHERE ledger < ?')
  const dropTransactions = database.prepare('DELETE FROM sandbox_transaction WHERE ledger < ?')
  return {
    add: ({ sequence, hash, closeTime, meta }) => void insert.run(sequence, hash, closeTime, meta),
    latest: () => {
      const row = last.get()
      return row === undefined ? undefined : ledgerIn(row)
    },
    range: () => ({ oldest: placeIn(firstPlace.get()), latest: placeIn(lastPlace.get()) }),
    from: (sequence, limit) => page.all(sequence, limit).map(ledgerIn),
    prune: (firstKept) => {
      dropLedgers.run(firstKept)
      dropBumps.run(firstKept)
      dropTransactions.run(firstKept)
      dropContractFees.run(firstKept)
      dropEvents.run(firstKept)
    },
  }
}
