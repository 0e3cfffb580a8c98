import { existsSync } from 'node:fs'
import { logTree, type ReadLeaves } from '@quittance/billing'
import type { RecordedEvent } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { openDatabase, sqlitePrograms, storedHashes } from '@quittance/event-store/sqlite'
import type { ReadTiles } from '@quittance/transparency'
import type { EventLog } from '../installation.ts'

/** A log by the hashes that it stores, and the tiles of its tree; null where there are none. */
export type StoredLeaves = { readonly read: ReadLeaves; readonly tiles: ReadTiles | null }

const leafOf = ({ stream, revision, metadata, recordedAt }: RecordedEvent) => ({
  stream,
  revision: Number(revision),
  hash: metadata.hash,
  recordedAt,
})

const leavesFrom = ({ readAll }: Pick<EventStore, 'readAll'>): ReadLeaves =>
  async function* () {
    for await (const event of readAll(0n)) yield leafOf(event)
  }

/** The tiles in a file, which an older release has not made. */
const withTilesIn = async <A>(path: string, work: (tiles: ReadTiles | null) => Promise<A>): Promise<A> => {
  if (!existsSync(path)) return work(null)
  const database = openDatabase(path, { durability: 'full', readOnly: true })
  try {
    const sql = sqlitePrograms(database)
    const isThere = database.prepare(sql.dialect.hasTable).get('log_tree_tiles') !== undefined
    return await work(isThere ? logTree(sql).readTiles : null)
  } finally {
    database.close()
  }
}

/** Reads the log where it is, without its keys; changes nothing. Errors: rejects with failures that `isStoreFailure` recognizes. */
export const withStoredLeaves = async <A>(log: EventLog, work: (leaves: StoredLeaves) => Promise<A>): Promise<A> => {
  switch (log._tag) {
    case 'file':
      return withTilesIn(log.path, async (tiles) => {
        const database = openDatabase(log.path, { durability: 'full', readOnly: true })
        try {
          return await work({ read: () => storedHashes(database), tiles })
        } finally {
          database.close()
        }
      })
    case 'database': {
      const { connectionString } = log
      const { postgresLogReader, postgresPrograms } = await import('@quittance/event-store/postgres')
      const reader = await postgresLogReader({ connectionString })
      if (reader === null) return work({ read: () => [], tiles: null })
      const sql = await postgresPrograms({ connectionString, connections: 1 })
      try {
        return await work({ read: leavesFrom(reader), tiles: logTree(sql).readTiles })
      } finally {
        await sql.close()
        await reader.close()
      }
    }
    case 'server': {
      const { eventStoreDb } = await import('@quittance/event-store/eventstoredb')
      const store = eventStoreDb({ connectionString: log.connectionString, clock: Date.now, deadlineMs: 5_000 })
      try {
        return await withTilesIn(log.readModels, (tiles) => work({ read: leavesFrom(store), tiles }))
      } finally {
        await store.close()
      }
    }
  }
}
