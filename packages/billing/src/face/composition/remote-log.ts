import { randomUUID } from 'node:crypto'
import type { EventStore, Sql } from '@quittance/event-store'
import { type Projector, type Reading, readModels, sqliteReading } from '@quittance/projections'
import type { Clock } from '../../kernel/clock.ts'
import { fencedSql, fencedStore } from '../../kernel/fence.ts'
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
 * A log on a server, and a database beside it that many processes share: its read models, and all that is in no log.
 * `openTables` has run.
 */
export type LogBesideDatabase = {
  readonly log: EventStore
  readonly projector: Pick<Projector, 'reached' | 'catchUp'>
  readonly reading: Reading
  readonly sql: Sql
}

/**
 * The log is remote; read models, claims and cursors have their own file, which `openRemoteLog` opens.
 */
export const remoteLog = ({ log, projector, rows, claims }: Omit<RemoteLog, 'close'>, ...others: OfProcess): Services =>
  besideRemoteLog({ log, projector, reading: sqliteReading(rows), sql: openedTables(claims) }, ...others)

/** As `remoteLog`, in a database that many processes share. What is written within a role passes its fence. */
export const logBesideDatabase = ({ sql, ...log }: LogBesideDatabase, ...others: OfProcess): Services =>
  besideRemoteLog({ ...log, sql: fencedSql(sql) }, ...others)

type OfProcess = Parameters<typeof besideRemoteLog> extends [unknown, ...infer Others] ? Others : never

const besideRemoteLog = (
  { log, projector, reading, sql }: LogBesideDatabase,
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
  const { store: own, newestOf } = ownWrites(claimingFirst(log, sql))
  const store = fencedStore(own)
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
