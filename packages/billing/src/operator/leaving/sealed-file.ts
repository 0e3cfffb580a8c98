import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** Where an export is for: the public key of an installation, with a check sum, so that a mistyped one is nobody's. */
export type Destination = { readonly name: string; readonly publicKey: KeyObject }

const prefix = 'qd_'
const checkBytes = 4
const rawKeyBytes = 32
const spkiHead = Buffer.from('302a300506032b656e032100', 'hex')
const pkcs8Head = Buffer.from('302e020100300506032b656e04220420', 'hex')

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const publicOf = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([spkiHead, raw]), format: 'der', type: 'spki' })
const rawOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(spkiHead.length)
const privateOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })

const nameOf = (raw: Uint8Array): string =>
  `${prefix}${Buffer.concat([raw, sha256(raw).subarray(0, checkBytes)]).toString('base64url')}`

/** The destination whose secret is `seed` (32 random bytes). */
export const destinationOf = (seed: Uint8Array): Destination => {
  const publicKey = createPublicKey(privateOf(seed))
  return { name: nameOf(rawOf(publicKey)), publicKey }
}

/** Null for a text that names no destination, such as a mistyped one. */
export const destinationNamed = (name: string): Destination | null => {
  const raw = Buffer.from(name.slice(prefix.length), 'base64url').subarray(0, rawKeyBytes)
  return raw.length === rawKeyBytes && nameOf(raw) === name ? { name, publicKey: publicOf(raw) } : null
}

const format = 'quittance-merchant/1'
const Header = t.strict({ format: t.literal(format), to: t.string, key: t.string })

/** Why a file is no export for this installation. */
export type FileProblem =
  | { readonly _tag: 'FileUnreadable'; readonly cause: string }
  /** It is no export, was cut off, or differs from what was written. */
  | { readonly _tag: 'FileAltered' }
  | { readonly _tag: 'FileForAnother'; readonly to: string }

const keyBytes = 32
const tagBytes = 16
const lengthBytes = 4
const chunkBytes = 64 * 1024
const longestHeader = 1024

const fileKey = (own: KeyObject, theirs: KeyObject, ephemeral: Uint8Array, to: string): Buffer => {
  const shared = diffieHellman({ privateKey: own, publicKey: theirs })
  const salt = Buffer.concat([ephemeral, Buffer.from(to)])
  return Buffer.from(hkdfSync('sha256', shared, salt, Buffer.from(format), keyBytes))
}

/** Chunks have numbers and the last one says so: none can be left out, moved or cut off. */
const nonceOf = (chunk: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt8(isLast ? 1 : 0, 0)
  nonce.writeUInt32BE(chunk, 8)
  return nonce
}

/**
 * Writes lines to a file that only the destination can read (X25519, HKDF, AES-256-GCM in chunks), for its owner alone. Nothing
 * is on the disk in the clear. The file has its name once all of it is on the disk; before, it ends in `.part`.
 * Errors: throws file system errors, and whatever `lines` throws.
 */
export const writeSealed = async (
  path: string,
  { name, publicKey }: Destination,
  lines: AsyncIterable<string>,
): Promise<void> => {
  const ephemeral = generateKeyPairSync('x25519')
  const raw = rawOf(ephemeral.publicKey)
  const header = `${JSON.stringify({ format, to: name, key: raw.toString('base64') })}\n`
  const key = fileKey(ephemeral.privateKey, publicKey, raw, name)
  const bound = sha256(Buffer.from(header))
  const part = `${path}.part`
  rmSync(part, { force: true })
  const file = openSync(part, 'wx', 0o600)
  let chunk = 0
  const write = (plain: Uint8Array, isLast: boolean): void => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(chunk, isLast)).setAAD(bound)
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt32BE(sealed.length)
    writeAll(file, Buffer.concat([length, cipher.getAuthTag(), sealed]))
    chunk += 1
  }
  try {
    writeAll(file, Buffer.from(header))
    let waiting: Array<Buffer> = []
    let size = 0
    for await (const line of lines) {
      const bytes = Buffer.from(`${line}\n`)
      waiting.push(bytes)
      size += bytes.length
      if (size < chunkBytes) continue
      write(Buffer.concat(waiting), false)
      waiting = []
      size = 0
    }
    write(Buffer.concat(waiting), true)
    fsyncSync(file)
  } catch (cause) {
    rmSync(part, { force: true })
    throw cause
  } finally {
    closeSync(file)
  }
  renameSync(part, path)
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

const writeAll = (file: number, bytes: Uint8Array): void => {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
}

/** Thrown while lines are read that were not written so. */
export class AlteredFile extends Error {
  override readonly name = 'AlteredFile'
}

/** An export that is for this installation; each call of `lines` reads it from its beginning, and throws `AlteredFile`. */
export type SealedFile = { readonly to: string; readonly lines: () => Generator<string, void> }

/** Opens a file with the secret of a destination. */
export const openSealed = (path: string, seed: Uint8Array): E.Either<FileProblem, SealedFile> => {
  if (!existsSync(path)) return E.left({ _tag: 'FileUnreadable', cause: 'there is no such file' })
  const opened = E.tryCatch(
    () => withFile(path, (file) => headerOf(file)),
    (cause) => (cause instanceof Error ? cause.message : String(cause)),
  )
  if (E.isLeft(opened)) return E.left({ _tag: 'FileUnreadable', cause: opened.left })
  if (opened.right === null) return E.left({ _tag: 'FileAltered' })
  const { to, ephemeral, text } = opened.right
  const own = destinationOf(seed)
  if (to !== own.name) return E.left({ _tag: 'FileForAnother', to })
  const key = fileKey(privateOf(seed), publicOf(ephemeral), ephemeral, to)
  const bound = sha256(Buffer.from(text))
  return E.right({ to, lines: () => linesIn(path, Buffer.byteLength(text), key, bound) })
}

const withFile = <A>(path: string, work: (file: number) => A): A => {
  const file = openSync(path, 'r')
  try {
    return work(file)
  } finally {
    closeSync(file)
  }
}

const headerOf = (file: number) => {
  const bytes = readUpTo(file, longestHeader, 0)
  const end = bytes.indexOf('\n')
  if (end < 0) return null
  const text = `${bytes.subarray(0, end).toString('utf8')}\n`
  const header = E.tryCatch(() => Header.decode(JSON.parse(text)), String)
  if (E.isLeft(header) || E.isLeft(header.right)) return null
  const ephemeral = Buffer.from(header.right.right.key, 'base64')
  return ephemeral.length === rawKeyBytes ? { to: header.right.right.to, ephemeral, text } : null
}

const readUpTo = (file: number, most: number, position: number): Buffer => {
  const bytes = Buffer.alloc(most)
  let read = 0
  for (;;) {
    const more = readSync(file, bytes, read, most - read, position + read)
    if (more === 0 || read + more === most) return bytes.subarray(0, read + more)
    read += more
  }
}

function* linesIn(path: string, start: number, key: Buffer, bound: Buffer): Generator<string, void> {
  const file = openSync(path, 'r')
  try {
    let position = start
    let rest: Buffer = Buffer.alloc(0)
    for (let chunk = 0; ; chunk++) {
      const head = readUpTo(file, lengthBytes + tagBytes, position)
      if (head.length < lengthBytes + tagBytes) throw new AlteredFile('the file ends early')
      const length = head.readUInt32BE(0)
      const sealed = readUpTo(file, length, position + head.length)
      position += head.length + length
      const isLast = readUpTo(file, 1, position).length === 0
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(chunk, isLast)).setAAD(bound)
      decipher.setAuthTag(head.subarray(lengthBytes))
      let plain: Buffer
      try {
        plain = Buffer.concat([rest, decipher.update(sealed), decipher.final()])
      } catch {
        throw new AlteredFile('a chunk was changed, or the file ends early')
      }
      const end = plain.lastIndexOf('\n') + 1
      if (end > 0)
        yield* plain
          .subarray(0, end - 1)
          .toString('utf8')
          .split('\n')
      rest = plain.subarray(end)
      if (isLast) return
    }
  } finally {
    closeSync(file)
  }
}
