import { chaos } from '@quittance/event-store/eventstoredb/testing/chaos'
import { faultsOf } from '@quittance/event-store/eventstoredb/testing/chaos-faults'
import type { Benchmark } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

/** Appends and reads 50,000 events while the peer is killed repeatedly; fails if any guarantee is broken. */
export const peerChaos: Benchmark = () =>
  inTemporaryFolder(async (directory) => {
    const seed = Date.now() % 2 ** 31
    const outcome = await chaos({ directory, events: 50_000, writers: 32, deaths: 25, seed, longestMs: 300_000 })
    const { answered, deaths, seconds, metrics } = outcome
    const faults = faultsOf(outcome)
    if (Object.values(faults).some((count) => count > 0)) process.exitCode = 1
    return {
      seed: String(seed),
      'events answered': answered.length,
      'deaths of the server': deaths,
      'unknown outcomes': metrics.unknownOutcomes,
      'thereof written': metrics.unknownResolvedAsWritten,
      'thereof refused': metrics.unknownResolvedAsRefused,
      'drops of subscriptions': metrics.subscriptionDrops,
      'events per second': answered.length / seconds,
      ...faults,
    }
  })
