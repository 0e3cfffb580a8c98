import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'

/** Why the file of the private key cannot be used. */
export type UnfitKey = { readonly _tag: 'KeyOpenToOthers' } | { readonly _tag: 'KeyNotEd25519' }

const onDisk = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes a private key in a file of its owner alone. The file is whole and on disk, or absent. */
export const makeKey = (path: string): void => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
  // A start that is killed here may leave a draft, and in a container the next one has the same process id.
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, pem, { mode: 0o600, flag: 'wx' })
  try {
    onDisk(draft)
    // Unlike a rename, a link never replaces a key that another process has just made.
    linkSync(draft, path)
  } finally {
    rmSync(draft)
  }
  onDisk(dirname(path))
}

/** Reads the private key. Errors: `UnfitKey`: others may read the file, or it holds no Ed25519 key. */
export const readKey = (path: string): E.Either<UnfitKey, KeyObject> => {
  if ((statSync(path).mode & 0o077) !== 0) return E.left({ _tag: 'KeyOpenToOthers' })
  const pem = readFileSync(path)
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? E.right(key) : E.left({ _tag: 'KeyNotEd25519' })
  } catch {
    return E.left({ _tag: 'KeyNotEd25519' })
  }
}

/** The public key of a private one: 32 bytes. */
export const publicKeyOf = (key: KeyObject): Uint8Array =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
