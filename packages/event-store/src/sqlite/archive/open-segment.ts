import { statSync } from 'node:fs'
import { join } from 'node:path'
import { AlteredLog } from '../../altered-log.ts'
import type { SqlDatabase } from '../../sql.ts'
import { openDatabase } from '../database.ts'
import type { Segment } from './segments.ts'

/** Why a segment's file cannot be the recorded one, by its size alone; null where it may be. */
export const whyUnusable = (folder: string, { name, first, last, bytes }: Segment): string | null => {
  const found = statSync(join(folder, name), { throwIfNoEntry: false })
  const what = `the segment ${name} with the positions ${first} to ${last}`
  if (found === undefined) return `${what} is missing in ${folder}`
  return found.size === bytes ? null : `${what} has ${found.size} bytes instead of ${bytes}`
}

/** Errors: throws `AlteredLog` where the file is missing or has another size. */
export const requireSegment = (folder: string, segment: Segment): void => {
  const problem = whyUnusable(folder, segment)
  if (problem !== null) throw new AlteredLog(`${problem}; put the file back from a backup`)
}

const mostOpen = 64
type Opened = { readonly sql: SqlDatabase; readonly inode: number }
/** By path. Segments never change, so all connections to a log in this process share them. */
const opened = new Map<string, Opened>()

/** A connection for reading a segment, which the next call may close. Errors: as `requireSegment`, and the driver's. */
export const openSegment = (folder: string, segment: Segment): SqlDatabase => {
  const path = join(folder, segment.name)
  const inode = statSync(path, { throwIfNoEntry: false })?.ino
  const known = opened.get(path)
  opened.delete(path)
  // A file that was put back is opened anew. One that is gone is still there for this process.
  if (known !== undefined && inode !== undefined && inode !== known.inode) known.sql.close()
  const isCurrent = known !== undefined && (inode === undefined || inode === known.inode)
  const current = isCurrent ? known : openFile(folder, segment, path, inode ?? 0)
  opened.set(path, current)
  const [oldest] = opened
  if (opened.size > mostOpen && oldest !== undefined) {
    opened.delete(oldest[0])
    oldest[1].sql.close()
  }
  return current.sql
}

const openFile = (folder: string, segment: Segment, path: string, inode: number): Opened => {
  requireSegment(folder, segment)
  return { sql: openDatabase(path, { durability: 'full', readOnly: true }), inode }
}
