import type { Environment, UnixMs } from '@quittance/domain'
import { LedgerSequence, unixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import type { Cursor, CursorStore, LedgerHead } from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../decode.ts'

/** How far each environment's ledger was read. */
export interface Cursors {
  /** Where reading begins, if it has not begun: nothing that closes after this ledger is missed. */
  readonly begin: (environment: Environment, head: LedgerHead) => void
  readonly of: (environment: Environment) => CursorStore<never>
  readonly closedAt: (environment: Environment) => UnixMs | null
}

/** Cursors in the event log's own file: as durable as the events that they follow. */
export const sqliteCursors = (database: SqlDatabase): Cursors => {
  database.execute(`CREATE TABLE IF NOT EXISTS ledger_cursors (
    environment TEXT PRIMARY KEY, sequence INTEGER NOT NULL, closed_at INTEGER NOT NULL, hash TEXT
  ) STRICT`)
  const find = database.prepare('SELECT * FROM ledger_cursors WHERE environment = ?')
  const begin = database.prepare('INSERT OR IGNORE INTO ledger_cursors VALUES (?, ?, ?, NULL)')
  const save = database.prepare('INSERT OR REPLACE INTO ledger_cursors VALUES (?, ?, ?, ?)')
  const load = (environment: Environment): Cursor | null => {
    const row = find.get(environment)
    if (row === undefined) return null
    return {
      sequence: decodeOrThrow(LedgerSequence, row.sequence),
      closedAt: unixMs(Number(row.closed_at)),
      hash: row.hash === null ? null : String(row.hash),
    }
  }
  return {
    begin: (environment, { sequence, closedAt }) => void begin.run(environment, sequence, closedAt),
    of: (environment) => ({
      load: () => TE.right(load(environment)),
      save: ({ sequence, closedAt, hash }) => TE.fromIO(() => void save.run(environment, sequence, closedAt, hash)),
    }),
    closedAt: (environment) => load(environment)?.closedAt ?? null,
  }
}
