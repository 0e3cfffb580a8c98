import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  createReadStream,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openDatabase } from '@quittance/event-store/sqlite'
import type { DataDir } from '../data-dir.ts'

/**
 * The files that a backup holds, in the order in which they are copied. Keys are made before events need them, so a
 * vault that is copied after the log has them all; a sandbox's ledger is never behind its log.
 */
export const backedUp = ['events', 'readModels', 'sandbox', 'vault'] as const satisfies ReadonlyArray<keyof DataDir>
export type BackedUp = (typeof backedUp)[number]

/** Copies a database as it is at one moment, also while others write to it. Its free pages, with what was erased, stay out. */
export const snapshot = (from: string, to: string): void => {
  // SQLite writes into an empty file, and keeps its mode.
  writeFileSync(to, '', { mode: 0o600 })
  const database = openDatabase(from, { durability: 'full', readOnly: true })
  try {
    database.prepare('VACUUM INTO ?').run(to)
  } finally {
    database.close()
  }
}

/** Removes what SQLite leaves beside a file that nobody has open. */
export const removeRests = (path: string): void => {
  for (const rest of ['-wal', '-shm']) rmSync(`${path}${rest}`, { force: true })
}

/** For its owner alone, and on the disk. */
export const sealFile = (path: string): void => {
  chmodSync(path, 0o600)
  syncPath(path)
}

/** A working directory of this process, which a later process removes if this one is killed. */
export const workingDirectory = (parent: string, purpose: string): string => {
  for (const name of readdirSync(parent)) {
    const [, ofWhat, processId] = /^(.*)-(\d+)$/.exec(name) ?? []
    if (ofWhat === purpose && !isRunning(Number(processId))) rmSync(join(parent, name), { recursive: true })
  }
  const path = join(parent, `${purpose}-${process.pid}`)
  mkdirSync(path, { mode: 0o700 })
  return path
}

const isRunning = (processId: number): boolean => {
  if (processId === process.pid) return false
  try {
    return process.kill(processId, 0)
  } catch (cause) {
    // A process of another user may not be signaled.
    return codeOf(cause) !== 'ESRCH'
  }
}

export const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''

export const syncPath = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

export const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
