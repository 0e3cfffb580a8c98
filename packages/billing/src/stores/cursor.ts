import type { Environment, UnixMs } from '@quittance/domain'
import { LedgerSequence, unixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import type { Cursor, CursorStore, LedgerHead } from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeOrThrow } from '../kernel/decode.ts'

/** How far each environment's ledger was read. */
export interface Cursors {
  /** Where reading begins, if it has not begun: nothing that closes after this ledger is missed. */
  readonly begin: (environment: Environment, head: LedgerHead) => void
  readonly of: (environment: Environment) => CursorStore<never>
  /** Puts it elsewhere; a worker that is under way notices and begins from there. */
  readonly move: (environment: Environment, cursor: Cursor) => void
  readonly closedAt: (environment: Environment) => UnixMs | null
}

/** Cursors in the event log's own file: as durable as the events that they follow. */
export const sqliteCursors = (database: SqlDatabase): Cursors => {
  database.execute(`CREATE TABLE IF NOT EXISTS ledger_cursors (
    environment TEXT PRIMARY KEY, sequence INTEGER NOT NULL, closed_at INTEGER NOT NULL, hash TEXT
  ) STRICT`)
  const find = database.prepare('SELECT * FROM ledger_cursors WHERE environment = ?')
  const first = database.prepare('INSERT OR IGNORE INTO ledger_cursors VALUES (?, ?, ?, ?)')
  const move = database.prepare('INSERT OR REPLACE INTO ledger_cursors VALUES (?, ?, ?, ?)')
  const advance = database.prepare(
    'UPDATE ledger_cursors SET sequence = ?, closed_at = ?, hash = ? WHERE environment = ? AND sequence = ? AND hash IS ?',
  )
  const put = (environment: Environment, { sequence, closedAt, hash }: Cursor): void =>
    void move.run(environment, sequence, closedAt, hash)
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
    begin: (environment, { sequence, closedAt }) => void first.run(environment, sequence, closedAt, null),
    of: (environment) => ({
      load: () => TE.right(load(environment)),
      advance: (from, to) =>
        TE.fromIO(() => {
          if (from === null) return first.run(environment, to.sequence, to.closedAt, to.hash).changes === 1
          const { changes } = advance.run(to.sequence, to.closedAt, to.hash, environment, from.sequence, from.hash)
          return changes === 1
        }),
    }),
    move: put,
    closedAt: (environment) => load(environment)?.closedAt ?? null,
  }
}
