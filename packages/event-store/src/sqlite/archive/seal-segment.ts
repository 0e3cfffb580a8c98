import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AlteredLog } from '../../altered-log.ts'
import { brokenLink, nextDigest, previousHashOf } from '../../chain.ts'
import type { SqlDatabase, SqlRow } from '../../sql.ts'
import { openDatabase } from '../database.ts'
import { eventColumns, integer, storedFromRow, text } from '../rows.ts'
import { eventTable, streamIndex } from '../schema.ts'
import { fileDigest } from './file-digest.ts'
import type { Segment } from './segments.ts'

/** Where a segment begins, and its last position. */
export type SegmentRange = Pick<Segment, 'first' | 'last' | 'digestBefore'>

const rowsPerBatch = 1_000
const columns = `${eventColumns}, digest`

/**
 * Passes the rows of a range on, after proving that each event matches its hash, and the log's digest up to it. Answers
 * the digest at the end. Errors: throws `AlteredLog` at the first row that is not as it was written.
 */
const provenRows = async (
  sql: SqlDatabase,
  { first, last, digestBefore }: SegmentRange,
  take: (rows: ReadonlyArray<SqlRow>) => void,
): Promise<string> => {
  const rowsIn = sql.prepare(`SELECT ${columns} FROM events WHERE position > ? AND position <= ? ORDER BY position`)
  let position = first - 1
  let digest = digestBefore
  while (position < last) {
    const rows = rowsIn.all(position, Math.min(position + rowsPerBatch, last))
    const until = Math.min(position + rowsPerBatch, last)
    for (const row of rows) {
      const event = storedFromRow(row)
      position += 1
      digest = nextDigest(digest, event.hash)
      const isSound =
        integer(row, 'position') === position &&
        text(row, 'digest') === digest &&
        brokenLink(previousHashOf(event), event) === null
      if (!isSound) throw new AlteredLog(`Event ${event.revision} of ${event.stream} is not as it was written`)
    }
    if (position !== until) throw new AlteredLog(`Position ${position + 1} of the log is missing`)
    take(rows)
    await nextTurn()
  }
  return digest
}

const writeFile = async (log: SqlDatabase, path: string, range: SegmentRange): Promise<string> => {
  const sql = openDatabase(path, { durability: 'full' })
  try {
    // A file that is killed here is removed by the next run, so nothing needs a journal before the end.
    // Leaving the write-ahead log comes first: a segment is read where nothing can be written beside it.
    sql.execute('PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
    sql.execute(eventTable)
    sql.execute(
      'CREATE TABLE segment (first_position INTEGER, last_position INTEGER, digest_before TEXT, digest TEXT) STRICT',
    )
    const names = columns.split(', ')
    const insert = sql.prepare(`INSERT INTO events (${columns}) VALUES (${names.map(() => '?').join(', ')})`)
    const digest = await provenRows(log, range, (rows) => {
      sql.transaction(() => {
        for (const row of rows) insert.run(...names.map((name) => row[name] ?? null))
      })
    })
    sql.execute(streamIndex)
    sql.prepare('INSERT INTO segment VALUES (?, ?, ?, ?)').run(range.first, range.last, range.digestBefore, digest)
    return digest
  } finally {
    sql.close()
  }
}

const readBack = async (path: string, range: SegmentRange, digest: string): Promise<void> => {
  const sql = openDatabase(path, { durability: 'full', readOnly: true })
  try {
    const found = await provenRows(sql, range, () => {})
    const [pages] = sql.prepare('PRAGMA integrity_check(1)').all()
    if (found !== digest || pages?.integrity_check !== 'ok') throw new AlteredLog(`${path} is not as it was written`)
  } finally {
    sql.close()
  }
}

export const syncPath = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

export const unfinishedPrefix = '.unfinished-'
const digestDigitsInName = 16

/**
 * Copies positions of the log into a new read-only file, reads it back, and gives it its name once it is on the disk.
 * The log does not know of it yet. Errors: throws `AlteredLog`, and the disk's errors.
 */
export const sealSegment = async (log: SqlDatabase, folder: string, range: SegmentRange): Promise<Segment> => {
  const unfinished = join(folder, `${unfinishedPrefix}${range.first}`)
  rmSync(unfinished, { force: true })
  const digest = await writeFile(log, unfinished, range)
  await readBack(unfinished, range, digest)
  chmodSync(unfinished, 0o400)
  syncPath(unfinished)
  const sha256 = await fileDigest(unfinished)
  const name = `events-${range.first}-${range.last}-${sha256.slice(0, digestDigitsInName)}.db`
  const path = join(folder, name)
  renameSync(unfinished, path)
  syncPath(folder)
  return { ...range, digest, name, sha256, bytes: statSync(path).size }
}
