import { randomUUID } from 'node:crypto'
import type { EventStore, Sql } from '@quittance/event-store'
import { type Reading, readModels } from '@quittance/projections'
import type { Clock } from '../../kernel/clock.ts'
import { fencedSql, fencedStore } from '../../kernel/fence.ts'
import type { Services } from '../../services/services.ts'
import { settlements } from '../../services/settlements.ts'
import { alwaysCaughtUp } from '../../stores/caught-up.ts'
import { type Mailers, noMailers } from '../../stores/mail/mailer.ts'
import { noScreening, type Screening } from '../../stores/screening/port.ts'
import { openTables } from '../../stores/tables.ts'
import type { Vault } from '../../stores/vault/port.ts'
import { besideLog } from './beside-log.ts'
import { leftIn } from './left-in.ts'

/**
 * One database for many processes: the log, its read models, which are written in the transaction of each append, and programs
 * for all else. `openTables` has run.
 */
export type SharedDatabase = { readonly log: EventStore; readonly reading: Reading; readonly sql: Sql }

/** Makes the tables of all that is in no log, where they are missing. Errors: rejects with the database's failure. */
export const openSharedTables = (sql: Sql): Promise<void> => sql.run(openTables(sql.dialect))

/** A check reads the database three times. */
const betweenChecksMs = 1_000

/** Assembles the services of one of many processes that share a database. What is written within a role passes its fence. */
export const inDatabase = (
  { log, reading, sql }: SharedDatabase,
  vault: Vault,
  clock: Clock,
  networks: Services['networks'],
  publicUrl: Services['publicUrl'],
  omnibusAccounts: Services['omnibusAccounts'] = new Set(),
  markFile: string | null = null,
  screening: Screening = noScreening,
  mailers: Mailers = noMailers,
): Services => {
  const models = readModels(reading)
  const store = fencedStore(log)
  return {
    ...besideLog(
      store,
      fencedSql(sql),
      vault,
      clock,
      networks,
      publicUrl,
      omnibusAccounts,
      markFile,
      betweenChecksMs,
      randomUUID,
      screening,
      mailers,
      () => leftIn(models),
    ),
    readModels: models,
    logFile: null,
    caughtUp: alwaysCaughtUp,
    settlementOf: settlements(store),
  }
}
