import { rowsOf, type SqlDialect, type SqlProgram } from '@quittance/event-store'
import { awaitingRateTable } from './awaiting-rate.ts'
import { backfillTable } from './backfills.ts'
import { challengeTable } from './challenges.ts'
import { claimColumns, claimIndexes, claimTable } from './claims/claims-table.ts'
import { cursorTable } from './cursor.ts'
import { deliveryTables } from './deliveries/schema.ts'
import { haltTable } from './halts.ts'
import { keyUseTable } from './key-use.ts'
import { latestCheckpointTable } from './latest-checkpoint.ts'
import { openTreeTables } from './log-tree/log-tree.ts'
import { mailedCodeTables } from './mail/mailed-codes.ts'
import { outboxTable } from './mail/outbox.ts'
import { memberTables } from './members/members.ts'
import { parkedTable } from './parked/parked.ts'
import { portalSessionColumns, portalSessionTable } from './portal-sessions.ts'
import { rateMemoryTable } from './quotes/rate-memory.ts'
import { relayTable } from './relays.ts'
import { roleTable } from './roles.ts'
import { setbackTable } from './setbacks/setbacks.ts'
import { addColumns, create, hasAll } from './sql/schema.ts'
import { violationTables } from './violations.ts'

const schemas = [
  claimTable,
  cursorTable,
  haltTable,
  awaitingRateTable,
  relayTable,
  violationTables,
  backfillTable,
  setbackTable,
  parkedTable,
  keyUseTable,
  challengeTable,
  portalSessionTable,
  mailedCodeTables,
  outboxTable,
  memberTables,
  rateMemoryTable,
  deliveryTables,
  roleTable,
  latestCheckpointTable,
]

/**
 * Creates the tables of everything that is kept beside the log, but for the vault's, and adds what those of an earlier release
 * lack. Several processes may do so at once. Nothing is ever taken away, since older processes may still run.
 */
export const openTables = (dialect: SqlDialect): SqlProgram<void> =>
  function* () {
    if (yield* hasAll(dialect, [...schemas, claimIndexes])()) return
    yield* rowsOf(dialect.openingLock)()
    for (const schema of schemas) yield* create(dialect, schema)()
    yield* addColumns(dialect, 'idempotency_claims', claimColumns)()
    yield* create(dialect, claimIndexes)()
    yield* addColumns(dialect, 'portal_sessions', portalSessionColumns)()
  }

/** Creates these and those of the tree over the log, which a copy of what is kept does not need. */
export const openAllTables = (dialect: SqlDialect): SqlProgram<void> =>
  function* () {
    yield* openTables(dialect)()
    yield* openTreeTables(dialect)()
  }
