import { randomUUID } from 'node:crypto'
import type { SqliteEventStore } from '@quittance/event-store/sqlite'
import type { Clock } from '../../kernel/clock.ts'
import type { Services } from '../../services/services.ts'
import { settlements } from '../../services/settlements.ts'
import { alwaysCaughtUp } from '../../stores/caught-up.ts'
import { type Mailers, noMailers } from '../../stores/mail/mailer.ts'
import { noScreening, type Screening } from '../../stores/screening/port.ts'
import type { Vault } from '../../stores/vault/port.ts'
import { besideLog } from './beside-log.ts'
import { leftIn } from './left-in.ts'
import { openedTables } from './opened-tables.ts'
import { remembering } from './remembering.ts'

/** Log, read models, claims and cursors share one file, so that one transaction commits them together. */
export const embeddedWith =
  (freshId: () => string) =>
  (
    store: SqliteEventStore,
    vault: Vault,
    clock: Clock,
    networks: Services['networks'],
    publicUrl: Services['publicUrl'],
    omnibusAccounts: Services['omnibusAccounts'] = new Set(),
    markFile: string | null = null,
    screening: Screening = noScreening,
    mailers: Mailers = noMailers,
  ): Services => {
    const { store: remembered, readModels } = remembering(store)
    const sql = openedTables(store.writer)
    return {
      ...besideLog(
        remembered,
        sql,
        vault,
        clock,
        networks,
        publicUrl,
        omnibusAccounts,
        markFile,
        0,
        freshId,
        screening,
        mailers,
        () => leftIn(readModels),
      ),
      readModels,
      logFile: store.writer,
      caughtUp: alwaysCaughtUp,
      settlementOf: settlements(remembered),
    }
  }

/**
 * Assembles the services of a platform whose log, read models, claims and cursors share one file of SQLite.
 * `markFile` keeps a mark of the log beside it, by which a log that went back is found.
 */
export const embedded = embeddedWith(randomUUID)
