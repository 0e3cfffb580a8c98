import type { LogTail } from '../chain.ts'
import type { EventStore, ReadsByStream } from '../port.ts'
import { connections } from './connection.ts'
import { readUpTo } from './follow.ts'
import { connectionOptionsOf, type PostgresLogOptions } from './options.ts'
import { readTail } from './read.ts'
import { readByStream } from './read-by-stream.ts'
import { readSchemaVersion } from './schema.ts'

/** A log that is only read, such as the source of a copy. */
export type PostgresLogReader = Pick<EventStore, 'readAll'> &
  ReadsByStream & {
    /** The log's end. Errors: throws `PostgresError`, and `AlteredLog` for a damaged log. */
    readonly logHead: () => Promise<LogTail>
    readonly close: () => Promise<void>
  }

/**
 * Opens a log to read it, and makes nothing; null where the schema holds none.
 * Errors: rejects with `NewerSchema`, `RangeError` for a schema's name, and `PostgresError` where it cannot be read.
 */
export const postgresLogReader = async (options: PostgresLogOptions): Promise<PostgresLogReader | null> => {
  const within = connectionOptionsOf(options)
  const log = connections(within, 2)
  const isThere = await log
    .use((sql) => readSchemaVersion(sql, within.schema))
    .catch(async (cause: unknown) => {
      await log.close()
      throw cause
    })
  if (isThere === 0) {
    await log.close()
    return null
  }
  const logHead = () => log.use(readTail)
  return {
    logHead,
    readAll: async function* (after, filter) {
      yield* readUpTo(log, Number(after), (await logHead()).position, filter)
    },
    readByStream: async function* () {
      yield* readByStream(log, (await logHead()).position)
    },
    close: log.close,
  }
}
