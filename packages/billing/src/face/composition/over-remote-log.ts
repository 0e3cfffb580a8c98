import { randomUUID } from 'node:crypto'
import type { EventStore, Sql } from '@quittance/event-store'
import { type Projector, type Reading, readModels } from '@quittance/projections'
import { fencedStore } from '../../kernel/fence.ts'
import type { Services } from '../../services/services.ts'
import { settlements } from '../../services/settlements.ts'
import { claimingFirst } from '../../stores/claims/claiming-first.ts'
import { commonServices } from './common-services.ts'
import type { Deployment } from './deployment.ts'
import { leftIn } from './left-in.ts'
import { ownWrites } from './own-writes.ts'

/** A log on a server, the read models that a projector keeps of it, and the tables of all that is in no log. */
export type ProjectedLog = {
  readonly log: EventStore
  readonly projector: Pick<Projector, 'reached' | 'catchUp'>
  readonly reading: Reading
  readonly sql: Sql
}

const longestWaitMs = 500
/** A check reads a server three times. */
const betweenChecksMs = 1_000

/** The services over a log on a server, whatever holds the rest: a read waits for what this process wrote for the merchant. */
export const overRemoteLog = ({ log, projector, reading, sql }: ProjectedLog, deployment: Deployment): Services => {
  const models = readModels(reading)
  const { store: own, newestOf, newest } = ownWrites(claimingFirst(log, sql))
  const store = fencedStore(own)
  let awaited = 0n
  const composed = { log: store, sql, betweenChecksMs, freshId: randomUUID }
  return {
    ...commonServices({ ...composed, leftInLog: () => leftIn(models) }, deployment),
    readModels: models,
    logFile: null,
    settlementOf: settlements(store),
    caughtUp: {
      withOwnWrites: async (merchantId) => {
        const position = newestOf(merchantId)
        if (position !== null) await projector.reached(position, longestWaitMs)
      },
      withAllOwnWrites: async () => {
        const position = newest()
        if (position <= awaited) return
        await projector.reached(position, longestWaitMs)
        awaited = position
      },
      withLog: projector.catchUp,
    },
  }
}
