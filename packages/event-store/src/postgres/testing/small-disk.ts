import { execFileSync } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'

/** A file system of its own that holds the tables of one log. */
export type SmallDisk = {
  /** Leaves no page free. */
  readonly fill: () => void
  readonly makeRoom: () => void
  /** Once nothing of the log is left on it. */
  readonly remove: () => Promise<void>
}

const pageBytes = 4_096

/** Moves the log of a schema to a new file system in memory. Needs root. */
export const onSmallDisk = async (cluster: Cluster, schema: string): Promise<SmallDisk> => {
  const name = `disk_of_${schema}`
  const path = join(cluster.folder, name)
  const filler = join(path, 'filler')
  const { uid, gid } = statSync(cluster.folder)
  mkdirSync(path)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path], { stdio: 'ignore' })
  chownSync(path, uid, gid)
  await cluster.sql(`CREATE TABLESPACE ${name} LOCATION '${path}'`)
  await cluster.sql(`ALTER TABLE ${schema}.events SET TABLESPACE ${name}`)
  for (const index of ['events_pkey', 'events_by_stream'])
    await cluster.sql(`ALTER INDEX ${schema}.${index} SET TABLESPACE ${name}`)
  return {
    fill: () => {
      const file = openSync(filler, 'w')
      try {
        for (;;) writeSync(file, Buffer.alloc(pageBytes))
      } catch (cause) {
        if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC')) throw cause
      } finally {
        closeSync(file)
      }
    },
    makeRoom: () => rmSync(filler),
    remove: async () => {
      await cluster.sql(`DROP TABLESPACE ${name}`)
      execFileSync('umount', ['--lazy', path])
    },
  }
}
