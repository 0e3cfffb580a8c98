import { randomUUID } from 'node:crypto'
import type { SqliteEventStore } from '@quittance/event-store/sqlite'
import type { Services } from '../../services/services.ts'
import { settlements } from '../../services/settlements.ts'
import { alwaysCaughtUp } from '../../stores/caught-up.ts'
import { commonServices } from './common-services.ts'
import type { Deployment } from './deployment.ts'
import { leftIn } from './left-in.ts'
import { openedTables } from './opened-tables.ts'
import { remembering } from './remembering.ts'

/** Log, read models, claims and cursors share one file, so that one transaction commits them together. */
export const embeddedWith =
  (freshId: () => string) =>
  (store: SqliteEventStore, deployment: Deployment): Services => {
    const { store: log, readModels } = remembering(store)
    const sql = openedTables(store.beside)
    return {
      ...commonServices({ log, sql, leftInLog: () => leftIn(readModels), betweenChecksMs: 0, freshId }, deployment),
      readModels,
      logFile: store.writer,
      caughtUp: alwaysCaughtUp,
      settlementOf: settlements(log),
    }
  }

/** Assembles the services of a platform whose log, read models, claims and cursors share one file of SQLite. */
export const embedded = embeddedWith(randomUUID)
