import { dirname } from 'node:path'
import {
  copyKeyFiles,
  copyKeys,
  dataFiles,
  type FinishFailure,
  finishCopy,
  finishInDatabase,
  finishInFiles,
  type Keeper,
  type KeyFailure,
} from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import type { LogLocation } from './copy-locations.ts'

/**
 * The state of the companion, the data that is in no log: there was none; it is in place; or the first start of a service
 * moves it.
 */
export type CompanionState = 'none' | 'in_place' | 'at_first_start'

export type Files = {
  /** The file that the copy is made in, or the read models of a copy on a server. */
  readonly work: string
  /** Its final path; null while the file of another setting is there, until a service starts on the copy. */
  readonly destination: string | null
  /** The companion file of the source; null where there is none. */
  readonly source: string | null
}

/** A proven copy that is to be put in place. */
export type Finishing = {
  readonly from: LogLocation
  readonly to: LogLocation
  readonly files: Files
  readonly keys: Keys
  readonly end: { readonly events: number; readonly hash: string }
  readonly isStillEnd: () => Promise<boolean>
}

export type Keys = { readonly masterKey: Uint8Array | null; readonly vaultUrl: string | null }

/** The file of a data directory that holds the data that is in no log. */
export const companionFile = ({ _tag, directory }: LogLocation): string | null => {
  if (directory === null || _tag === 'database') return null
  const { events, readModels } = dataFiles(directory)
  return _tag === 'file' ? events : readModels
}

/** Where a side keeps what belongs to its log; null for a log alone. */
export const keeperOf = (location: LogLocation, { vaultUrl }: Keys): Keeper | null => {
  const { _tag, directory } = location
  if (_tag === 'database') return { _tag, connectionString: location.connectionString, vaultUrl }
  if (directory === null) return null
  return { _tag: 'files', unlogged: companionFile(location), vault: dataFiles(directory).vault }
}

/** Moves what belongs to a log, and puts the copy in place. */
export const finish = async (finishing: Finishing): Promise<E.Either<FinishFailure | KeyFailure, CompanionState>> => {
  const { from, to, files, keys, end, isStillEnd } = finishing
  const [source, target] = [keeperOf(from, keys), keeperOf(to, keys)]
  if (target === null) return E.right('none')
  const bring = (copy: (from: string, to: string) => void) => (): void => {
    if (from.directory !== null && to.directory !== null && from.directory !== to.directory)
      copy(from.directory, to.directory)
  }
  const moving = { masterKey: keys.masterKey, end, isStillEnd, bringFiles: bring(copyKeyFiles) }
  const inPlace = E.map((): CompanionState => 'in_place')
  if (target._tag === 'database')
    return source === null ? E.right('none') : inPlace(await finishInDatabase({ ...moving, from: source, to: target }))
  if (source?._tag === 'database' && files.destination !== null) {
    const { work: copy, destination: place } = files
    return inPlace(await finishInFiles({ ...moving, from: source, copy, place, directory: dirname(place) }))
  }
  const finished = await finishCopy({
    copy: files.work,
    place: files.destination,
    source: files.source,
    end,
    isStillEnd,
    bringKeys: bring(copyKeys),
  })
  const state = files.source === null ? 'none' : files.destination === null ? 'at_first_start' : 'in_place'
  return E.map((): CompanionState => state)(finished)
}
