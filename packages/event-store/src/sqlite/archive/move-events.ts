import { setTimeout as pause } from 'node:timers/promises'
import type { SqlDatabase } from '../../sql.ts'
import { integer } from '../rows.ts'
import { whenUnlocked } from '../when-unlocked.ts'
import type { Segment } from './segments.ts'

const rowsPerTransaction = 500
const pagesPerTransaction = 500

/** Repeats short writes until `step` answers false. Others get the lock in between for as long as each write took. */
const inSteps = async (step: () => boolean): Promise<void> => {
  for (;;) {
    const startedAt = performance.now()
    if (!(await whenUnlocked(step))) return
    await pause(Math.max(1, performance.now() - startedAt))
  }
}

/** Records a sealed segment: from here on, its positions are read from it. */
export const recordSegment = (
  sql: SqlDatabase,
  { first, last, digestBefore, digest, name, sha256, bytes }: Segment,
  at: number,
): void => {
  sql.transaction(() => {
    sql
      .prepare('INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(first, last, digestBefore, digest, name, sha256, bytes, at)
  })
}

/** The first position in the log's file. The last one always stays there. */
export const firstLivePosition = (sql: SqlDatabase): number | null => {
  const row = sql.prepare('SELECT position FROM events ORDER BY position LIMIT 1').get()
  return row === undefined ? null : integer(row, 'position')
}

/** Removes positions up to `end` from the log's file, and keeps the last event of each stream among them as its head. */
export const removeUpTo = (sql: SqlDatabase, end: number): Promise<void> => {
  const keepHeads = sql.prepare(
    `INSERT OR REPLACE INTO archived_heads
     SELECT stream, max(revision), hash, position FROM events WHERE position <= ? GROUP BY stream`,
  )
  const remove = sql.prepare('DELETE FROM events WHERE position <= ?')
  return inSteps(() =>
    sql.transaction(() => {
      const first = firstLivePosition(sql)
      if (first === null || first > end) return false
      const last = Math.min(end, first + rowsPerTransaction - 1)
      keepHeads.run(last)
      remove.run(last)
      return true
    }),
  )
}

const pragma = (sql: SqlDatabase, name: string): number => integer(sql.prepare(`PRAGMA ${name}`).get(), name)

/** The bytes of the log's file without its write-ahead log. */
export const fileBytes = (sql: SqlDatabase): number => pragma(sql, 'page_count') * pragma(sql, 'page_size')

/** The bytes of unused pages in the log's file. Later events fill them. */
export const freeBytes = (sql: SqlDatabase): number => pragma(sql, 'freelist_count') * pragma(sql, 'page_size')

const incremental = 2

/** Gives unused pages back to the disk. A file of an earlier release cannot: it has to be compacted once. */
export const returnSpace = async (sql: SqlDatabase): Promise<void> => {
  if (pragma(sql, 'auto_vacuum') !== incremental) return
  await inSteps(() => {
    if (pragma(sql, 'freelist_count') === 0) return false
    sql.execute(`PRAGMA incremental_vacuum(${pagesPerTransaction})`)
    return true
  })
}
