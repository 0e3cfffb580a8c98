import { AlteredLog, NewerSchema } from '@quittance/event-store/sqlite'
import { ProjectionDefect, UnreadableEvent } from '@quittance/projections'
import * as t from 'io-ts'
import type { ConfigProblem } from './settings.ts'

const outsideWorld = /^(SQLITE_(CORRUPT|NOTADB|CANTOPEN|PERM|AUTH)|E(ACCES|EXIST|ISDIR|MFILE|NOENT|NOTDIR|PERM)$)/

/** A lock, a full disk, or a disk that fails. */
const inTheWay = /^(SQLITE_(BUSY|LOCKED|READONLY|IOERR|FULL)|E(NOSPC|DQUOT|FBIG|IO|ROFS)$)/

/**
 * The problem with a data directory that does not open: a wrong master key, files or events of a newer release, an
 * unusable disk or file. Null for defects.
 */
export const unopenable = (thrown: unknown): ConfigProblem | null => {
  const cause = thrown instanceof ProjectionDefect ? thrown.cause : thrown
  if (!Failure.is(cause)) return null
  const { name, message, code = '' } = cause
  if (name === 'WrongMasterKey') {
    return { variable: 'QUITTANCE_MASTER_KEY', expected: 'the key that the data directory was written under' }
  }
  if (name === 'VaultMissing') {
    return { variable: 'QUITTANCE_DATA_DIR', expected: 'a directory with the vault.db that belongs to its log' }
  }
  if (cause instanceof UnreadableEvent) {
    return { variable: 'QUITTANCE_DATA_DIR', expected: `a directory whose log this release can read (${message})` }
  }
  if (inTheWay.test(code)) {
    return {
      variable: 'QUITTANCE_DATA_DIR',
      expected: `a directory whose files can be used (${message})`,
      isPassing: true,
    }
  }
  return cause instanceof NewerSchema || cause instanceof AlteredLog || outsideWorld.test(code)
    ? { variable: 'QUITTANCE_DATA_DIR', expected: `a directory whose files can be used (${message})` }
    : null
}

const Failure = t.intersection([t.type({ name: t.string, message: t.string }), t.partial({ code: t.string })])
