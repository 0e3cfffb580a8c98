import { basename, dirname, join, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandError, usageError } from '../command-error.ts'

/**
 * One side of a copy: its log, and the data directory with the data that belongs to it and is in no log. Without a
 * directory only the log is copied.
 */
export type LogLocation =
  | { readonly _tag: 'file'; readonly path: string; readonly directory: string | null }
  | { readonly _tag: 'server'; readonly connectionString: string; readonly directory: string | null }
  | { readonly _tag: 'database'; readonly connectionString: string; readonly directory: string | null }

const database = /^postgres(ql)?:\/\/./
const server = /^(esdb|kurrentdb|kdb)(\+discover)?:\/\/./
const logName = 'quittance.db'

const locationOf = (text: string): LogLocation => {
  if (server.test(text)) return { _tag: 'server', connectionString: text, directory: null }
  if (database.test(text)) return { _tag: 'database', connectionString: text, directory: null }
  const path = resolve(text)
  if (basename(path) === logName) return { _tag: 'file', path, directory: dirname(path) }
  return path.endsWith('.db')
    ? { _tag: 'file', path, directory: null }
    : { _tag: 'file', path: join(path, logName), directory: path }
}

/**
 * The data directory of a log on a server or in a database is the one that the settings name, else that of the other side.
 * Beside a file of another name, or another server, there is none.
 */
const withDirectory = (location: LogLocation, other: LogLocation, named: string | null): LogLocation => {
  const isOtherAlone =
    other._tag === 'file' ? other.directory === null : location._tag === 'server' && other._tag === 'server'
  if (location._tag === 'file' || isOtherAlone) return location
  return { ...location, directory: named === null ? other.directory : resolve(named) }
}

/** Whether one side is a log alone, so that nothing else is copied. */
export const isLogAlone = (from: LogLocation, to: LogLocation): boolean =>
  [from, to].some(({ _tag, directory }) => _tag !== 'database' && directory === null)

/** The two sides of a copy. Errors: both are the same log. */
export const locationsOf = (
  from: string,
  to: string,
  namedDataDir: string | null,
): E.Either<CommandError, { readonly from: LogLocation; readonly to: LogLocation }> => {
  const [source, target] = [locationOf(from), locationOf(to)]
  const isSame =
    source._tag === 'file' || target._tag === 'file'
      ? source._tag === 'file' && target._tag === 'file' && source.path === target.path
      : source.connectionString === target.connectionString
  if (isSame) return E.left(usageError('--from and --to name the same log.'))
  return E.right({ from: withDirectory(source, target, namedDataDir), to: withDirectory(target, source, namedDataDir) })
}
