import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { inTemporaryFolder } from '../temporary-folder.ts'
import type { Comparison } from './comparison.ts'
import { machine, versionOf } from './machine.ts'
import type { Result } from './results.ts'

const clusterSettings = ['shared_buffers = 128MB', 'max_wal_size = 4GB']

/**
 * Measures a comparison: after a round of each side that is not counted, ours and the peer's take turns, so that whatever else
 * the machine does slows both.
 */
export const run = (comparison: Comparison, hasShortRounds: boolean): Promise<Result> =>
  inTemporaryFolder(async (folder) => {
    const clusters: Array<Cluster> = []
    const { ours, peer, close } = await comparison.open({
      folder,
      amount: (full) => (hasShortRounds ? Math.ceil(full / 4) : full),
      cluster: async () => {
        const cluster = await startCluster(clusterSettings)
        clusters.push(cluster)
        return cluster
      },
    })
    const figures = { ours: [] as Array<number>, peer: [] as Array<number> }
    try {
      for (let round = 0; round <= (hasShortRounds ? 5 : 7); round += 1) {
        const pair = { ours: await ours(), peer: await peer?.() }
        if (round === 0) continue
        figures.ours.push(pair.ours)
        if (pair.peer !== undefined) figures.peer.push(pair.peer)
      }
    } finally {
      await close()
      for (const cluster of clusters) await cluster.remove()
    }
    return {
      name: comparison.name,
      takenOn: new Date().toISOString().slice(0, 10),
      machine: machine(),
      versions: Object.fromEntries(comparison.packages.map((name) => [name, versionOf(name)])),
      hasShortRounds,
      ours: figures.ours,
      peer: peer === null ? null : figures.peer,
    }
  })

/** How many of `count` things that a piece of work does are done per second. */
export const perSecond = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return (count * 1_000) / (performance.now() - startedAt)
}

/** Runs all pieces of work by this many callers; each begins the next piece when its last one is done. */
export const byCallers = async (callers: number, pieces: ReadonlyArray<() => Promise<unknown>>): Promise<void> => {
  const left = pieces.values()
  const caller = async (): Promise<void> => {
    for (const piece of left) await piece()
  }
  await Promise.all(Array.from({ length: callers }, caller))
}
