import { randomUUID } from 'node:crypto'
import type { EventStore, Sql } from '@quittance/event-store'
import { type Reading, readModels } from '@quittance/projections'
import { fencedSql, fencedStore } from '../../kernel/fence.ts'
import type { Services } from '../../services/services.ts'
import { settlements } from '../../services/settlements.ts'
import { alwaysCaughtUp } from '../../stores/caught-up.ts'
import { openAllTables } from '../../stores/tables.ts'
import { commonServices } from './common-services.ts'
import type { Deployment } from './deployment.ts'
import { leftIn } from './left-in.ts'

/**
 * A database that holds everything, for many processes: the log; its read models, which are written in the transaction of each
 * append; and all else, which `sql` reads and writes. `openSharedTables` has run.
 */
export type DatabaseWithLog = { readonly log: EventStore; readonly reading: Reading; readonly sql: Sql }

/** Makes the tables of all that is in no log, where they are missing. Errors: rejects with the database's failure. */
export const openSharedTables = (sql: Sql): Promise<void> => sql.run(openAllTables(sql.dialect))

/** A check reads the database three times. */
const betweenChecksMs = 1_000

/**
 * Assembles the services of one of many processes that share a database with the log in it. What is written within a role passes
 * its fence.
 */
export const inDatabase = ({ log, reading, sql }: DatabaseWithLog, deployment: Deployment): Services => {
  const models = readModels(reading)
  const store = fencedStore(log)
  const composed = { log: store, sql: fencedSql(sql), betweenChecksMs, freshId: randomUUID }
  return {
    ...commonServices({ ...composed, leftInLog: () => leftIn(models) }, deployment),
    readModels: models,
    logFile: null,
    caughtUp: alwaysCaughtUp,
    settlementOf: settlements(store),
  }
}
