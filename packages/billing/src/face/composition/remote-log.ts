import { sqliteReading } from '@quittance/projections'
import type { Services } from '../../services/services.ts'
import type { Deployment } from './deployment.ts'
import type { RemoteLog } from './open-remote-log.ts'
import { openedTables } from './opened-tables.ts'
import { overRemoteLog } from './over-remote-log.ts'

/** Assembles the services over a log on a server, with the file beside it that `openRemoteLog` opens. */
export const remoteLog = (
  { log, projector, rows, claims }: Omit<RemoteLog, 'close'>,
  deployment: Deployment,
): Services => overRemoteLog({ log, projector, reading: sqliteReading(rows), sql: openedTables(claims) }, deployment)
