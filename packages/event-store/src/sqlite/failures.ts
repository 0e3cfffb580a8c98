import Database from 'better-sqlite3'
import { TransactionLost } from './database.ts'

/** The file does not hold what was written to it: a torn page, or an altered, dropped or restored part. */
export class AlteredLog extends Error {
  override readonly name = 'AlteredLog'
}

/** The file was written by a later release, whose tables this one does not know. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'
  constructor(found: number, known: number) {
    super(
      `The event log has schema version ${found}; this release knows versions up to ${known}. Use the newer release.`,
    )
  }
}

const outsideWorld =
  /^SQLITE_(BUSY|LOCKED|READONLY|IOERR|CORRUPT|NOTADB|CANTOPEN|FULL|NOMEM|PERM|AUTH|INTERRUPT|PROTOCOL|NOLFS)/

/** Whether the store itself failed (disk, file, lock), as opposed to a defect of ours or a refusal by other code. */
export const isStoreFailure = (error: unknown): boolean =>
  error instanceof AlteredLog ||
  error instanceof TransactionLost ||
  (error instanceof Database.SqliteError && outsideWorld.test(error.code))

/** Whether a commit that threw this may still turn out to be on the disk, when the file is opened again. */
export const leavesOutcomeOpen = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_IOERR')
