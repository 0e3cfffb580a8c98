import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { keepToOwner } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'

export type MasterKeyRejection = { readonly _tag: 'MalformedMasterKey' }

/** Reads a master key: 32 bytes as 64 hex digits. */
export const masterKeyFromHex = (text: string): E.Either<MasterKeyRejection, Uint8Array> =>
  /^[0-9a-fA-F]{64}$/.test(text.trim())
    ? E.right(new Uint8Array(Buffer.from(text.trim(), 'hex')))
    : E.left({ _tag: 'MalformedMasterKey' })

/**
 * The key in a file, generated if there is none, which is kept to its owner. Two processes that start together agree on one key: the
 * file appears whole, by a link that only the first can make.
 */
export const masterKeyFile = (path: string): E.Either<MasterKeyRejection, Uint8Array> => {
  if (!existsSync(path)) {
    const fresh = `${path}.${randomBytes(6).toString('hex')}`
    writeFileSync(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
    try {
      linkSync(fresh, path)
    } catch (cause) {
      if (!existsSync(path)) throw cause
    } finally {
      rmSync(fresh)
    }
  }
  keepToOwner(path)
  return masterKeyFromHex(readFileSync(path, 'utf8'))
}
