import { chaos } from '../packages/event-store/src/eventstoredb/testing/chaos.ts'
import type { Benchmark } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

/** Appends and follows 50,000 events, or as many as 40 seconds allow, while the peer is killed again and again. */
export const peerChaos: Benchmark = () =>
  inTemporaryFolder(async (directory) => {
    const { answered, log, seen, deaths, seconds, metrics } = await chaos({
      directory,
      events: 50_000,
      writers: 32,
      subscribers: 3,
      eventsPerDeath: 6_000,
      longestMs: 40_000,
    })
    const ids = new Set(log.map(({ id }) => id))
    const order = JSON.stringify(log.map(({ id }) => id))
    return {
      'events answered': answered.length,
      'events lost': answered.filter((id) => !ids.has(id)).length,
      'events stored twice': log.length - ids.size,
      'subscribers in another order': seen.filter((events) => JSON.stringify(events.map(({ id }) => id)) !== order)
        .length,
      'deaths of the server': deaths,
      'unknown outcomes': metrics.unknownOutcomes,
      'of them found written': metrics.unknownResolvedAsWritten,
      'of them refused': metrics.unknownResolvedAsRefused,
      'drops of subscriptions': metrics.subscriptionDrops,
      'events per second': answered.length / seconds,
    }
  })
