import * as E from 'fp-ts/lib/Either.js'
import { openDatabase } from '../sqlite/database.ts'
import { isStoreFailure } from '../sqlite/failures.ts'
import { readUpTo } from '../sqlite/follow.ts'
import { readTail } from '../sqlite/heads.ts'
import { eventInserter } from '../sqlite/insert.ts'
import { logReader } from '../sqlite/read.ts'
import { createSchema } from '../sqlite/schema.ts'
import { unavailable } from './failures.ts'
import type { CopyTarget } from './target.ts'

export type SqliteTarget = CopyTarget & { readonly close: () => void }

/**
 * A SQLite file as the target of a copy, created if missing. It writes rows instead of appending, so that events keep
 * their recorded times. A batch is one transaction, which checks that the log's end is where the copy left it.
 * Errors: throws `NewerSchema`, and the driver's `SqliteError` where the file cannot be opened.
 */
export const intoSqlite = (path: string): SqliteTarget => {
  const sql = openDatabase(path, { durability: 'full', returnsSpace: true })
  try {
    createSchema(sql)
  } catch (failure) {
    sql.close()
    throw failure
  }
  const insert = eventInserter(sql)
  const log = logReader(sql)
  return {
    readAll: (after) => readUpTo(log, Number(after), log.end()),
    write: async (events, held) => {
      try {
        return sql.transaction(() => {
          let tail = readTail(sql)
          if (tail.position !== held) return E.left({ _tag: 'TargetChanged' })
          for (const { stored, recorded } of events) tail = insert(tail, stored, recorded.recordedAt)
          return E.right(undefined)
        })
      } catch (cause) {
        if (!isStoreFailure(cause)) throw cause
        return E.left(unavailable('target', cause))
      }
    },
    close: sql.close,
  }
}
