import { existsSync } from 'node:fs'
import { masterKeyFile, masterKeyFromHex } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import type { Config } from './config.ts'
import type { DataDir } from './data-dir.ts'
import type { ConfigProblem } from './settings.ts'

/**
 * The configured master key. A deployment on the sandbox alone may have none: it generates a key into its data
 * directory at the first start, but never beside an existing vault, whose key is then lost.
 */
export const readMasterKey = (
  { masterKey, networks }: Config,
  { masterKey: file, vault }: DataDir,
): E.Either<ReadonlyArray<ConfigProblem>, Uint8Array> => {
  const problem = (expected: string) => [{ variable: 'QUITTANCE_MASTER_KEY', expected }]
  const isSandboxOnly = networks.testnet.rpcUrls.length === 0 && networks.mainnet.rpcUrls.length === 0
  if (masterKey !== null || !isSandboxOnly) {
    const key = masterKey === null ? E.left(null) : masterKeyFromHex(masterKey)
    return E.mapLeft(() => problem('64 hex digits: real money needs a key of yours'))(key)
  }
  if (existsSync(vault) && !existsSync(file))
    return E.left(problem(`the key that the data directory was written under, or ${file} must hold it`))
  return E.mapLeft(() => problem(`64 hex digits in ${file}`))(masterKeyFile(file))
}

/** The configured master key, or the one in the data directory. Makes none. */
export const presentMasterKey = (config: Config, files: DataDir): E.Either<ReadonlyArray<ConfigProblem>, Uint8Array> =>
  config.masterKey !== null || existsSync(files.masterKey)
    ? readMasterKey(config, files)
    : E.left([
        {
          variable: 'QUITTANCE_MASTER_KEY',
          expected: `the key of the vault, unless ${files.masterKey} holds it`,
        },
      ])
