import { basename, dirname, join, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { type Complaint, misuse } from '../complaint.ts'

/**
 * One side of a copy: where its log is, and the data directory that holds what belongs to it and is in no log. Without a
 * directory the log alone is copied.
 */
export type Place =
  | { readonly _tag: 'file'; readonly path: string; readonly directory: string | null }
  | { readonly _tag: 'server'; readonly connectionString: string; readonly directory: string | null }

const server = /^(esdb|kurrentdb|kdb)(\+discover)?:\/\/./
const logName = 'quittance.db'

const placeOf = (text: string): Place => {
  if (server.test(text)) return { _tag: 'server', connectionString: text, directory: null }
  const path = resolve(text)
  if (basename(path) === logName) return { _tag: 'file', path, directory: dirname(path) }
  return path.endsWith('.db')
    ? { _tag: 'file', path, directory: null }
    : { _tag: 'file', path: join(path, logName), directory: path }
}

/** What belongs to a log on a server is in the directory that the settings name, or else in that of the other side. */
const beside = (place: Place, other: Place, named: string | null): Place => {
  if (place._tag === 'file' || other.directory === null) return place
  return { ...place, directory: named === null ? other.directory : resolve(named) }
}

/** The two sides that a line names. Errors: both are the same log. */
export const placesOf = (
  from: string,
  to: string,
  namedDataDir: string | null,
): E.Either<Complaint, { readonly from: Place; readonly to: Place }> => {
  const [source, target] = [placeOf(from), placeOf(to)]
  const isSame =
    source._tag === 'file' || target._tag === 'file'
      ? source._tag === 'file' && target._tag === 'file' && source.path === target.path
      : source.connectionString === target.connectionString
  if (isSame) return E.left(misuse('--from and --to name the same log.', 'copy'))
  return E.right({ from: beside(source, target, namedDataDir), to: beside(target, source, namedDataDir) })
}
