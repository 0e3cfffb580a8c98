import { type Environment, LedgerSequence, UnixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import type { Cursor, CursorStore, LedgerHead } from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { orNull, query } from './sql/query.ts'

const CursorRow = t.strict({ sequence: LedgerSequence, closedAt: UnixMs, hash: orNull(t.string) })

/** How far each environment's ledger was read. */
export interface Cursors {
  /** Sets where reading begins, unless it has begun: no ledger after this one is missed. */
  readonly begin: (environment: Environment, head: LedgerHead) => void
  readonly of: (environment: Environment) => CursorStore<never>
  /** Moves the cursor; a running worker notices and goes on from there. */
  readonly move: (environment: Environment, cursor: Cursor) => void
  readonly closedAt: (environment: Environment) => UnixMs | null
}

/** Cursors in the event log's own file: as durable as the events that they follow. */
export const sqliteCursors = (database: SqlDatabase): Cursors => {
  database.execute(`CREATE TABLE IF NOT EXISTS ledger_cursors (
    environment TEXT PRIMARY KEY, sequence INTEGER NOT NULL, closed_at INTEGER NOT NULL, hash TEXT
  ) STRICT`)
  const find = query(
    database,
    CursorRow,
    'SELECT sequence, closed_at AS closedAt, hash FROM ledger_cursors WHERE environment = ?',
  )
  const first = database.prepare('INSERT OR IGNORE INTO ledger_cursors VALUES (?, ?, ?, ?)')
  const move = database.prepare('INSERT OR REPLACE INTO ledger_cursors VALUES (?, ?, ?, ?)')
  const advance = database.prepare(
    'UPDATE ledger_cursors SET sequence = ?, closed_at = ?, hash = ? WHERE environment = ? AND sequence = ? AND hash IS ?',
  )
  return {
    begin: (environment, { sequence, closedAt }) => void first.run(environment, sequence, closedAt, null),
    of: (environment) => ({
      load: () => TE.fromIO(() => find.one(environment)),
      advance: (from, to) =>
        TE.fromIO(() => {
          if (from === null) return first.run(environment, to.sequence, to.closedAt, to.hash).changes === 1
          const { changes } = advance.run(to.sequence, to.closedAt, to.hash, environment, from.sequence, from.hash)
          return changes === 1
        }),
    }),
    move: (environment, { sequence, closedAt, hash }) => void move.run(environment, sequence, closedAt, hash),
    closedAt: (environment) => find.one(environment)?.closedAt ?? null,
  }
}
