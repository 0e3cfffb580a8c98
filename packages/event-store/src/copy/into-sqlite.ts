import type { RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { InlineProjection } from '../inline-projection.ts'
import type { SqlDatabase } from '../sql.ts'
import { openDatabase } from '../sqlite/database.ts'
import { isStoreFailure } from '../sqlite/failures.ts'
import { readUpTo } from '../sqlite/follow.ts'
import { readTail } from '../sqlite/heads.ts'
import { eventInserter } from '../sqlite/insert.ts'
import { catchUpInTurns, openProjections, type Projecting } from '../sqlite/projecting.ts'
import { logReader } from '../sqlite/read.ts'
import { createSchema } from '../sqlite/schema.ts'
import { unavailable } from './failures.ts'
import type { CopyTarget } from './target.ts'

/** `flush`: what is written is on the disk, which a commit does not wait for. */
export type SqliteTarget = CopyTarget & { readonly flush: () => void; readonly close: () => void }

// The pages that the write-ahead log may hold before they are moved to the file: some 64 MB.
const pagesBetweenCheckpoints = 16_000

/**
 * A SQLite file as the target of a copy, created if missing. It writes rows instead of appending, so that events keep
 * their recorded times. A batch is one transaction, which checks that the log's end is where the copy left it, and writes
 * the projections. Those that lag are caught up before the first batch. Commits do not wait for the disk: after a loss of power the file holds
 * fewer batches, and the copy goes on behind them.
 * Errors: throws `NewerSchema`, and the driver's `SqliteError` where the file cannot be opened. `write` throws what a projection throws.
 */
export const intoSqlite = (path: string, projections: ReadonlyArray<InlineProjection> = []): SqliteTarget => {
  const sql = openDatabase(path, { durability: 'relaxedLosesCommitsOnPowerLoss', returnsSpace: true })
  try {
    createSchema(sql)
    sql.execute(`PRAGMA wal_autocheckpoint = ${pagesBetweenCheckpoints}`)
  } catch (failure) {
    sql.close()
    throw failure
  }
  const insert = eventInserter(sql)
  const log = logReader(sql)
  let projecting: Promise<Projecting> | null = null
  return {
    readAll: (after) => readUpTo(log, Number(after), log.end()),
    write: async (events, held) => {
      try {
        projecting ??= caughtUp(sql, projections)
        const rows = await projecting
        return sql.transaction(() => {
          let tail = readTail(sql)
          if (tail.position !== held) return E.left({ _tag: 'TargetChanged' })
          rows.catchUp()
          const written: RecordedEvent[] = []
          for (const { stored, recorded } of events) {
            tail = insert(tail, stored, recorded.recordedAt)
            written.push({ ...recorded, position: BigInt(tail.position) })
          }
          rows.applyAll(written)
          rows.mark(tail.position)
          return E.right(undefined)
        })
      } catch (cause) {
        if (!isStoreFailure(cause)) throw cause
        return E.left(unavailable('target', cause))
      }
    },
    flush: () => sql.execute('PRAGMA wal_checkpoint(PASSIVE)'),
    close: sql.close,
  }
}

const caughtUp = async (sql: SqlDatabase, projections: ReadonlyArray<InlineProjection>): Promise<Projecting> => {
  await catchUpInTurns(sql, projections)
  return openProjections(sql, projections)
}
