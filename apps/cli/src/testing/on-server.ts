import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import { type PeerProcess, startPeerProcess } from '@quittance/event-store/testing/peer/process'
import { type TestDirectory, testDirectory } from './run-cli.ts'

/** A data directory with its own event server: a process with a file that a test can change. */
export type OnServer = {
  readonly directory: TestDirectory
  readonly server: PeerProcess
  /** Changes the events of the server behind its back. */
  readonly tamper: (sql: string) => void
  /** Changes the read models in the data directory. */
  readonly alterReadModels: (sql: string) => void
  readonly end: () => Promise<void>
}

export const onServer = async (): Promise<OnServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-cli-server-'))
  const server = await startPeerProcess(folder, 0)
  const directory = testDirectory({
    of: () => Promise.resolve({ QUITTANCE_EVENT_STORE: server.connectionString }),
    remove: () => {},
  })
  const execute =
    (path: string) =>
    (sql: string): void => {
      const database = openDatabase(path, { durability: 'full' })
      database.execute(sql)
      database.close()
    }
  return {
    directory,
    server,
    tamper: execute(join(folder, 'peer.db')),
    alterReadModels: execute(join(directory.path, 'read-models.db')),
    end: async () => {
      await server.kill()
      directory.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
