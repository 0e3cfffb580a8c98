import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Segment } from '@quittance/event-store/sqlite'
import { digestOf, syncPath, workingDirectory } from './files.ts'

/** Names a segment of the log, and its content. */
export type NamedSegment = Pick<Segment, 'name' | 'sha256'>

/** The folder of segments that all backups in one directory share. */
export const sharedFolder = 'quittance-segments'

/**
 * Copies segments that a folder lacks, or has damaged. Each appears whole, by a rename. Answers the name of one that
 * neither folder has as it was sealed, or null.
 */
export const copySegments = async (
  segments: ReadonlyArray<NamedSegment>,
  from: string,
  to: string,
): Promise<string | null> => {
  if (segments.length === 0) return null
  mkdirSync(to, { recursive: true, mode: 0o700 })
  const working = workingDirectory(to, '.copying')
  try {
    for (const segment of segments) {
      const copied = join(working, segment.name)
      if (await isWhole(to, segment)) continue
      if (!existsSync(join(from, segment.name))) return segment.name
      copyFileSync(join(from, segment.name), copied)
      if (!(await isWhole(working, segment))) return segment.name
      chmodSync(copied, 0o400)
      syncPath(copied)
      renameSync(copied, join(to, segment.name))
    }
    syncPath(to)
    return null
  } finally {
    rmSync(working, { recursive: true, force: true })
  }
}

const isWhole = async (folder: string, { name, sha256 }: NamedSegment): Promise<boolean> =>
  existsSync(join(folder, name)) && (await digestOf(join(folder, name))) === sha256
