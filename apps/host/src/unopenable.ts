import { AlteredLog, NewerSchema } from '@quittance/event-store/sqlite'
import * as t from 'io-ts'
import type { ConfigProblem } from './settings.ts'

const outsideWorld =
  /^(SQLITE_(BUSY|LOCKED|READONLY|IOERR|CORRUPT|NOTADB|CANTOPEN|FULL|PERM|AUTH)|E(ACCES|EXIST|ISDIR|MFILE|NOENT|NOSPC|NOTDIR|PERM|ROFS)$)/

/**
 * What the operator has to put right where a data directory does not open: another master key than it was written
 * under, a newer release's files, a disk or a file that cannot be used. Null for everything else, which is a defect.
 */
export const unopenable = (cause: unknown): ConfigProblem | null => {
  if (!Failure.is(cause)) return null
  const { name, message, code = '' } = cause
  if (name === 'WrongMasterKey') {
    return { variable: 'QUITTANCE_MASTER_KEY', expected: 'the key that the data directory was written under' }
  }
  if (name === 'VaultMissing') {
    return { variable: 'QUITTANCE_DATA_DIR', expected: 'a directory with the vault.db that belongs to its log' }
  }
  return cause instanceof NewerSchema || cause instanceof AlteredLog || outsideWorld.test(code)
    ? { variable: 'QUITTANCE_DATA_DIR', expected: `a directory whose files can be used (${message})` }
    : null
}

const Failure = t.intersection([t.type({ name: t.string, message: t.string }), t.partial({ code: t.string })])
