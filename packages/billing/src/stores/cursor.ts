import { type Environment, LedgerSequence, UnixMs } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import type { Cursor, CursorStore, LedgerHead } from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { isChanged, orNull, query, write } from './sql/query.ts'

const CursorRow = t.strict({ sequence: LedgerSequence, closedAt: UnixMs, hash: orNull(t.string) })

/** How far each environment's ledger was read. */
export interface Cursors {
  /** Sets where reading begins, unless it has begun: no ledger after this one is missed. */
  readonly begin: (environment: Environment, head: LedgerHead) => Promise<void>
  readonly of: (environment: Environment) => CursorStore<never>
  /** Moves the cursor; a running worker notices and goes on from there. */
  readonly move: (environment: Environment, cursor: Cursor) => Promise<void>
  readonly closedAt: (environment: Environment) => Promise<UnixMs | null>
}

export const cursorTable = `CREATE TABLE IF NOT EXISTS ledger_cursors (
  environment TEXT PRIMARY KEY, sequence INTEGER NOT NULL, closed_at INTEGER NOT NULL, hash TEXT
) STRICT`

const find = query(
  CursorRow,
  'SELECT sequence, closed_at AS "closedAt", hash FROM ledger_cursors WHERE environment = ?',
)
const insert = 'INSERT INTO ledger_cursors VALUES (?, ?, ?, ?) ON CONFLICT (environment) DO'
const first = isChanged(`${insert} NOTHING`)
const move = write(
  `${insert} UPDATE SET sequence = excluded.sequence, closed_at = excluded.closed_at, hash = excluded.hash`,
)
const advance = isChanged(
  `UPDATE ledger_cursors SET sequence = ?, closed_at = ?, hash = ?
   WHERE environment = ? AND sequence = ? AND hash IS NOT DISTINCT FROM ?`,
)

/** After a power cut, reading may begin a few ledgers further back, whose events are there: none of them is written twice. */
export const cursors = ({ run }: Sql): Cursors => ({
  begin: async (environment, { sequence, closedAt }) => {
    await run(first(environment, sequence, closedAt, null))
  },
  of: (environment) => ({
    load: () => TE.fromTask(() => run(find.one(environment))),
    advance: (from, to) =>
      TE.fromTask(() => {
        const { sequence, closedAt, hash } = to
        if (from === null) return run(first(environment, sequence, closedAt, hash))
        return run(advance(sequence, closedAt, hash, environment, from.sequence, from.hash), { durability: 'soon' })
      }),
  }),
  move: (environment, { sequence, closedAt, hash }) => run(move(environment, sequence, closedAt, hash)),
  closedAt: async (environment) => (await run(find.one(environment)))?.closedAt ?? null,
})
