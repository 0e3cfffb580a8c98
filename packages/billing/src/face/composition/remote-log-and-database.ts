import { fencedSql } from '../../kernel/fence.ts'
import type { Services } from '../../services/services.ts'
import type { Deployment } from './deployment.ts'
import { overRemoteLog, type ProjectedLog } from './over-remote-log.ts'

/**
 * Assembles the services of one of many processes that share a log on a server and a database beside it, which holds the read models
 * and all that is in no log. `openSharedTables` has run. What is written within a role passes its fence.
 */
export const remoteLogAndDatabase = ({ sql, ...rest }: ProjectedLog, deployment: Deployment): Services =>
  overRemoteLog({ ...rest, sql: fencedSql(sql) }, deployment)
