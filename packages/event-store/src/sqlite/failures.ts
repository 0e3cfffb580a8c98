import { AlteredLog } from '../altered-log.ts'

/** Thrown by `transaction` when SQLite has already rolled back the outer transaction. */
export class TransactionLost extends Error {
  override readonly name = 'TransactionLost'
}

/** SQLite's error code, such as `SQLITE_BUSY`; null for other errors. */
export const sqliteCode = (error: unknown): string | null => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : null
}

/** Whether another process holds the lock of the file: the same statement succeeds later. */
export const isLocked = (error: unknown): boolean => sqliteCode(error)?.startsWith('SQLITE_BUSY') ?? false

const outsideWorld =
  /^SQLITE_(BUSY|LOCKED|READONLY|IOERR|CORRUPT|NOTADB|CANTOPEN|FULL|NOMEM|PERM|AUTH|INTERRUPT|PROTOCOL|NOLFS)/

/** Of a file beside the databases. */
const fileUnusable = /^E(NOSPC|DQUOT|FBIG|IO|ROFS|ACCES|PERM|ISDIR)$/

/** Whether the store failed (disk, file, lock), rather than our code or other code's refusal. */
export const isStoreFailure = (error: unknown): boolean =>
  error instanceof AlteredLog ||
  error instanceof TransactionLost ||
  outsideWorld.test(sqliteCode(error) ?? '') ||
  (error instanceof Error && 'syscall' in error && 'code' in error && fileUnusable.test(String(error.code)))

/** Whether a commit that threw this may still be on disk when the file is reopened. */
export const leavesOutcomeOpen = (error: unknown): boolean => sqliteCode(error)?.startsWith('SQLITE_IOERR') ?? false
