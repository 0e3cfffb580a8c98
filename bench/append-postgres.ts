import { startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { appendsOfProcesses } from './append-processes.ts'
import type { Benchmark } from './report.ts'

/**
 * Durable appends to PostgreSQL beside Emmett, SQLite and plain inserts. Starts a server of its own from the installed
 * binaries, in the temporary folder.
 */
export const appendPostgres: Benchmark = async () => {
  const cluster = await startCluster(['shared_buffers = 128MB', 'max_wal_size = 4GB'])
  try {
    return await appendsOfProcesses(cluster, 3)
  } finally {
    await cluster.remove()
  }
}
