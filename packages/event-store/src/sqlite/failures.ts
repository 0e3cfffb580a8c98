import { AlteredLog } from '../altered-log.ts'

/** The file was written by a later release, whose tables this one does not know. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'
  constructor(found: number, known: number) {
    super(
      `The event log has schema version ${found}; this release knows versions up to ${known}. Use the newer release.`,
    )
  }
}

/** Thrown by `transaction` when SQLite has already rolled back everything around the failed statement. */
export class TransactionLost extends Error {
  override readonly name = 'TransactionLost'
}

/** SQLite's name for what went wrong, such as `SQLITE_BUSY`; null for what SQLite did not throw. */
export const sqliteCode = (error: unknown): string | null => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : null
}

const outsideWorld =
  /^SQLITE_(BUSY|LOCKED|READONLY|IOERR|CORRUPT|NOTADB|CANTOPEN|FULL|NOMEM|PERM|AUTH|INTERRUPT|PROTOCOL|NOLFS)/

/** Whether the store itself failed (disk, file, lock), as opposed to a defect of ours or a refusal by other code. */
export const isStoreFailure = (error: unknown): boolean =>
  error instanceof AlteredLog || error instanceof TransactionLost || outsideWorld.test(sqliteCode(error) ?? '')

/** Whether a commit that threw this may still turn out to be on the disk, when the file is opened again. */
export const leavesOutcomeOpen = (error: unknown): boolean => sqliteCode(error)?.startsWith('SQLITE_IOERR') ?? false
