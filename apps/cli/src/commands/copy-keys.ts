import { existsSync, readFileSync } from 'node:fs'
import { dataFiles, masterKeyFromHex } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { type CommandError, usageError } from '../command-error.ts'
import type { LogLocation } from './copy-locations.ts'

/** What only the settings say of keys; each is null where they say nothing. */
export type CopySecrets = {
  /** 64 hex digits. */
  readonly masterKey: string | null
  /** The database of the vault, where the database of the log does not have it. */
  readonly vaultUrl: string | null
}

/** The master key of the settings, or else the one in a data directory of the copy; null without one. Makes none. */
export const masterKeyOf = (
  { masterKey }: CopySecrets,
  from: LogLocation,
  to: LogLocation,
): E.Either<CommandError, Uint8Array | null> => {
  const [file] = [from, to]
    .flatMap(({ directory }) => (directory === null ? [] : [dataFiles(directory).masterKey]))
    .filter((path) => existsSync(path))
  const text = masterKey ?? (file === undefined ? null : readFileSync(file, 'utf8'))
  if (text === null) return E.right(null)
  return E.mapLeft(() => usageError('QUITTANCE_MASTER_KEY must be 64 hex digits.'))(masterKeyFromHex(text))
}
