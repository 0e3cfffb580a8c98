import { existsSync } from 'node:fs'
import { masterKeyFile, masterKeyFromHex } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import type { Config } from './config.ts'
import type { DataDir } from './data-dir.ts'
import type { ConfigProblem } from './settings.ts'

/**
 * The configured master key. Without one, a deployment that has nothing but the sandbox keeps a key in its data directory,
 * and generates it at the first start: not beside an existing vault, which was written under a key that is now lost.
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
