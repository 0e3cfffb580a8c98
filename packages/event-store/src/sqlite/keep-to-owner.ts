import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

/**
 * Keeps a database file and its write-ahead log to their owner; makes the file where it is missing. SQLite gives new files
 * beside a database the mode of the database. A file of another user keeps its mode, since only its owner can change it.
 */
export const keepToOwner = (path: string): void => {
  if (path === ':memory:') return
  // An existing file is never opened here: closing it again would end the locks of this process's other connections.
  if (modeOf(path) === null) create(path)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const mode = modeOf(file)
    if (mode !== null && (mode & 0o077) !== 0) restrict(file)
  }
}

/** Null for what is no file: a folder keeps its mode. */
const modeOf = (path: string): number | null => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true ? found.mode : null
}

const create = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

const restrict = (file: string): void => {
  try {
    chmodSync(file, 0o600)
  } catch (error) {
    if (!['EPERM', 'ENOENT'].some((code) => hasCode(error, code))) throw error
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code
