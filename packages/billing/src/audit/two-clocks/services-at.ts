import { dayMs, type Environment, latestUnixMs, type UnixMs, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Services } from '../../services/services.ts'
import { settlements } from '../../services/settlements.ts'
import type { Moment } from './moment.ts'
import { readModelsAt } from './read-models-at.ts'
import { storeAt } from './store-at.ts'

/** How far the clocks of processes and servers may be apart. */
const apartMs = dayMs

/**
 * What answers are made of, as it was at a moment: so the code that answers today answers for then. No network is asked. How
 * far ledgers were ingested is in no log, and not known. Keys of customers are those of today: an erased person stays erased.
 */
export const servicesAt = (services: Services, moment: Moment): Services => {
  const { store: log, readModels: today, networks, cursors, logStanding } = services
  const { at, knownAt } = moment
  const time = at ?? knownAt
  if (time === null) return services
  const store = storeAt(log, moment)
  /** A sandbox may be at another time than the log: when something was recorded does not bound when it happened. */
  const madeBefore = (environment: Environment): UnixMs | null => {
    const isSandbox = networks[environment]?.isInBackups === true
    const ends = [...(at === null ? [] : [at + 1]), ...(knownAt === null || isSandbox ? [] : [knownAt + apartMs])]
    return ends.length === 0 ? null : unixMs(Math.min(latestUnixMs, ...ends))
  }
  return {
    ...services,
    store,
    readModels: readModelsAt({ past: store, log, today, madeBefore }),
    settlementOf: settlements(store),
    clock: { now: () => time },
    networks: { testnet: null, mainnet: null },
    cursors: { ...cursors, closedAt: async () => null },
    logStanding: {
      ...logStanding,
      acceptances: async () => {
        const all = await logStanding.acceptances()
        return E.isLeft(all) ? all : E.right(all.right.filter(({ acceptedAt }) => acceptedAt <= time))
      },
    },
  }
}
