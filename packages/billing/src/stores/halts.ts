import { type Environment, LedgerSequence } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import { type Halted, haltedAt } from '@quittance/ledger'
import * as t from 'io-ts'
import { query, write } from './sql/query.ts'

const HaltRow = t.strict({ reason: t.string, ledger: LedgerSequence })

/**
 * Why an environment's ingestion has halted, and at which ledger. The reason is a tag of `Halted`; a process of a newer release may
 * have one that this release does not know.
 */
export type Halt = t.TypeOf<typeof HaltRow>

/** Why ingestion has halted, for every process that shares the database: only the one that ingests finds out. */
export interface Halts {
  /** Null while ingestion goes on. */
  readonly of: (environment: Environment) => Promise<Halt | null>
  /** Records a halt, or by null that ingestion goes on. Writes only what is new. */
  readonly record: (environment: Environment, halted: Halted | null) => Promise<void>
}

export const haltTable = `CREATE TABLE IF NOT EXISTS ingestion_halts (
  environment TEXT PRIMARY KEY, reason TEXT NOT NULL, ledger INTEGER NOT NULL
) STRICT`

const find = query(HaltRow, 'SELECT reason, ledger FROM ingestion_halts WHERE environment = ?')
const set = write(
  `INSERT INTO ingestion_halts VALUES (?, ?, ?)
   ON CONFLICT (environment) DO UPDATE SET reason = excluded.reason, ledger = excluded.ledger`,
)
const remove = write('DELETE FROM ingestion_halts WHERE environment = ?')

/** Beside the cursors, which show how far ingestion came. */
export const halts = ({ run }: Sql): Halts => ({
  of: (environment) => run(find.one(environment)),
  record: async (environment, halted) => {
    const known = await run(find.one(environment))
    if (halted === null) {
      if (known !== null) await run(remove(environment))
      return
    }
    const [reason, ledger] = [halted._tag, haltedAt(halted)]
    if (known?.reason !== reason || known.ledger !== ledger) await run(set(environment, reason, ledger))
  },
})
