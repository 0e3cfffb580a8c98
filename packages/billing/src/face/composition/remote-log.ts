import { randomUUID } from 'node:crypto'
import type { EventStore, SqlDatabase } from '@quittance/event-store'
import { type Projector, readModels } from '@quittance/projections'
import type { Clock } from '../../kernel/clock.ts'
import type { Services } from '../../services/services.ts'
import { settlements } from '../../services/settlements.ts'
import { claimingFirst } from '../../stores/claims/claiming-first.ts'
import { type Mailers, noMailers } from '../../stores/mail/mailer.ts'
import { noScreening, type Screening } from '../../stores/screening/port.ts'
import type { Vault } from '../../stores/vault/port.ts'
import { besideLog } from './beside-log.ts'
import { leftIn } from './left-in.ts'
import { ownWrites } from './own-writes.ts'

const longestWaitMs = 500
/** A check reads a server three times. */
const betweenChecksMs = 1_000

/**
 * The log is remote; read models, claims and cursors have their own file. `rows` is the projector's connection to it.
 * `durable` is a second one, whose every commit is on disk, since no log holds claims and cursors.
 */
export const remoteLog = (
  log: EventStore,
  projector: Projector,
  rows: SqlDatabase,
  durable: SqlDatabase,
  vault: Vault,
  clock: Clock,
  networks: Services['networks'],
  publicUrl: Services['publicUrl'],
  omnibusAccounts: Services['omnibusAccounts'],
  markFile: string | null = null,
  screening: Screening = noScreening,
  mailers: Mailers = noMailers,
): Services => {
  const models = readModels(rows)
  const { store, newestOf } = ownWrites(claimingFirst(log, durable))
  return {
    ...besideLog(
      store,
      durable,
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
