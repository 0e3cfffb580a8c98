import { isStoreFailure } from '@quittance/event-store/sqlite'
import type { BackupFailure, RestoreFailure } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandError, messageOf, refused } from '../command-error.ts'
import { printable } from '../printing.ts'

/** Makes or restores a backup. A target that cannot be used (a file in the way, a full disk) stays as it was. */
export const attempted = async <A>(
  work: () => Promise<E.Either<BackupFailure | RestoreFailure, A>>,
): Promise<E.Either<CommandError, A>> => {
  try {
    return E.mapLeft(backupError)(await work())
  } catch (cause) {
    const isOutside = isStoreFailure(cause) || (cause instanceof Error && 'syscall' in cause)
    if (!isOutside) throw cause
    return E.left(refused('target_unusable', printable(`Nothing was changed: ${messageOf(cause)}.`)))
  }
}

/** Why a backup was not made or not restored, in words for the operator. Nothing was changed then. */
const backupError = (failure: BackupFailure | RestoreFailure): CommandError => {
  switch (failure._tag) {
    case 'LogAltered':
      return refused('altered_log', printable(`The log is not as it was written: ${failure.problem}.`))
    case 'WrongMasterKey':
      return refused('wrong_master_key', 'The vault does not open under this master key, or is not that of the log.')
    case 'KeysMissing': {
      const [first = '', ...others] = failure.streams
      const more = others.length === 0 ? '' : ` and ${others.length} more`
      return refused('keys_missing', printable(`The vault lacks keys that the log needs: of ${first}${more}.`))
    }
    case 'NothingToBackUp':
      return refused('no_event_log', 'The data directory holds no log and vault.')
    case 'BackupExists':
      return refused('target_not_empty', 'The directory is not empty: name a new one.')
    case 'NoBackup':
      return refused('no_backup', 'The directory is no backup: it holds no whole backup.json.')
    case 'FileDamaged':
      return refused('backup_damaged', `${printable(failure.name)} is missing, or not as it was copied.`)
    case 'DataDirInUse':
      return refused('target_in_use', `Another process has ${failure.name} open: end the service first.`)
    case 'DataDirNotEmpty':
      return refused('target_not_empty', `The data directory holds ${failure.name}: only --force replaces it.`)
  }
}
