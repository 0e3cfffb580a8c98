import { join } from 'node:path'
import type { Problem } from '../../chain-check.ts'
import type { SqlDatabase } from '../../sql.ts'
import { text } from '../rows.ts'
import { attempt, type TolerantRow, tolerantReader } from '../tolerant-read.ts'
import { archivedPart } from './archived.ts'
import { fileDigest } from './file-digest.ts'
import { whyUnusable } from './open-segment.ts'
import { type Segment, segmentFolderOf } from './segments.ts'

type Ends = ReadonlyMap<string, { readonly revision: number; readonly hash: string }>

export type SegmentCheck = {
  /** Checks the file of a segment once, and the rows in (after, reached] with what the log's file still holds of them. */
  readonly check: (segment: Segment, after: number, reached: number, rows: ReadonlyArray<TolerantRow>) => Promise<void>
  /** Checks what the log's file records of archived streams, given the ends of all streams at the last segment's end. */
  readonly checkHeads: (segment: Segment, ends: Ends) => void
}

/** Reports segments that are missing, altered, truncated or swapped. */
export const segmentCheck = (sql: SqlDatabase, report: (problem: Problem) => void): SegmentCheck => {
  const archived = archivedPart(sql)
  const live = tolerantReader(sql)
  const about = (problem: string): void => report({ stream: null, revision: null, problem })
  const checked = new Set<string>()
  let areAllReadable = true

  const checkFile = async (segment: Segment): Promise<void> => {
    const folder = segmentFolderOf(sql)
    const problem = whyUnusable(folder, segment)
    if (problem !== null) {
      about(problem)
      return
    }
    try {
      const found = await fileDigest(join(folder, segment.name))
      if (found !== segment.sha256) about(`the segment ${segment.name} is altered: its SHA-256 is ${found}`)
    } catch (cause) {
      about(`the segment ${segment.name} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
    }
  }

  const check: SegmentCheck['check'] = async (segment, after, reached, rows) => {
    if (!checked.has(segment.name)) {
      checked.add(segment.name)
      await checkFile(segment)
    }
    if (rows.length !== reached - after) {
      areAllReadable = false
      about(`the segment ${segment.name} holds ${rows.length} of the positions ${after + 1} to ${reached}`)
    }
    if (rows.at(-1)?.position === segment.last && rows.at(-1)?.logged?.digest !== segment.digest)
      about(`the segment ${segment.name} ends at another digest than recorded`)
    // Archiving that was interrupted leaves rows in the log's file, which streams are read from.
    const rest = live(after, reached)
    const inSegment = new Map(rows.map((row) => [row.position, row.logged]))
    for (const { position, logged } of rest) {
      const same = JSON.stringify(inSegment.get(position) ?? null) === JSON.stringify(logged)
      if (!same) about(`position ${position} differs between the log's file and the segment ${segment.name}`)
    }
  }

  /** Whether the log's file goes on with the revision after an archived one. */
  const goesOn = (stream: string, revision: number): boolean =>
    sql.prepare('SELECT 1 FROM events WHERE stream = ? AND revision = ?').get(stream, revision + 1) !== undefined
  const isRecorded = (stream: string, end: { readonly revision: number; readonly hash: string }): boolean => {
    const head = archived.head(stream)
    if (head?.revision === end.revision) return head.hash === end.hash
    return (head?.revision ?? -1) < end.revision && goesOn(stream, head?.revision ?? -1)
  }

  const checkHeads: SegmentCheck['checkHeads'] = (segment, ends) => {
    if (!areAllReadable || segment.last !== archived.end()) return
    const heads = attempt(() => {
      for (const [stream, end] of ends) {
        // Asked again, because another process may have moved events in between.
        if (isRecorded(stream, end) || isRecorded(stream, end)) continue
        report({ stream, revision: BigInt(end.revision), problem: "is not the archived head in the log's file" })
      }
      for (const row of sql.prepare('SELECT stream FROM archived_heads').iterate()) {
        const stream = text(row, 'stream')
        if (!ends.has(stream)) about(`the log's file has an archived head of ${stream}, which has no events`)
      }
    })
    if ('failure' in heads) about(`the archived heads cannot be read: ${String(heads.failure)}`)
  }

  return { check, checkHeads }
}
