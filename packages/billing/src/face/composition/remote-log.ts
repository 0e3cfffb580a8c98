import { randomUUID } from 'node:crypto'
import { readModels, sqliteReading } from '@quittance/projections'
import type { Clock } from '../../kernel/clock.ts'
import type { Services } from '../../services/services.ts'
import { settlements } from '../../services/settlements.ts'
import { claimingFirst } from '../../stores/claims/claiming-first.ts'
import { type Mailers, noMailers } from '../../stores/mail/mailer.ts'
import { noScreening, type Screening } from '../../stores/screening/port.ts'
import type { Vault } from '../../stores/vault/port.ts'
import { besideLog } from './beside-log.ts'
import { leftIn } from './left-in.ts'
import type { RemoteLog } from './open-remote-log.ts'
import { openedTables } from './opened-tables.ts'
import { ownWrites } from './own-writes.ts'

const longestWaitMs = 500
/** A check reads a server three times. */
const betweenChecksMs = 1_000

/**
 * The log is remote; read models, claims and cursors have their own file, which `openRemoteLog` opens.
 */
export const remoteLog = (
  { log, projector, rows, claims }: Omit<RemoteLog, 'close'>,
  vault: Vault,
  clock: Clock,
  networks: Services['networks'],
  publicUrl: Services['publicUrl'],
  omnibusAccounts: Services['omnibusAccounts'] = new Set(),
  markFile: string | null = null,
  screening: Screening = noScreening,
  mailers: Mailers = noMailers,
): Services => {
  const models = readModels(sqliteReading(rows))
  const sql = openedTables(claims)
  const { store, newestOf } = ownWrites(claimingFirst(log, sql))
  return {
    ...besideLog(
      store,
      sql,
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
    settlementOf: settlements(store),
    caughtUp: {
      withOwnWrites: async (merchantId) => {
        const position = newestOf(merchantId)
        if (position !== null) await projector.reached(position, longestWaitMs)
      },
      withLog: projector.catchUp,
    },
  }
}
