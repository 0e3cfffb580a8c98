import * as E from 'fp-ts/lib/Either.js'
import { isKeyName } from './key-name.ts'
import { base64Of, bytesOfBase64 } from './strict-text.ts'

/**
 * One signature of a note. `keyId` is 8 lower-case hex digits; with `keyName` it says which key signed, and how.
 * `signature` is what that kind of key makes: 64 bytes of Ed25519, or 72 of a cosignature.
 */
export type NoteSignature = { readonly keyName: string; readonly keyId: string; readonly signature: Uint8Array }

/** A text, which ends in a newline, and its signatures. Nothing is verified yet: read the text after `verifyNote` alone. */
export type SignedNote = { readonly text: string; readonly signatures: ReadonlyArray<NoteSignature> }

/** Why a text is no note. */
export type MalformedNote = {
  readonly _tag: 'MalformedNote'
  readonly problem: 'tooLong' | 'notUtf8' | 'controlCharacter' | 'noSignatures' | 'tooManySignatures' | 'signatureLine'
}

/** The longest note that is read, in UTF-16 units, and the most signatures. The specification asks for 16 at least. */
export const noteLimits = { length: 262_144, signatures: 64 }

const malformed = (problem: MalformedNote['problem']): E.Either<MalformedNote, never> =>
  E.left({ _tag: 'MalformedNote', problem })

/** One signature as a line of a note, with its newline. */
export const printSignature = ({ keyName, keyId, signature }: NoteSignature): string =>
  `— ${keyName} ${base64Of(Buffer.concat([Buffer.from(keyId, 'hex'), signature]))}\n`

/** A note as text. `parseNote` reads it back. */
export const printNote = ({ text, signatures }: SignedNote): string =>
  `${text}\n${signatures.map(printSignature).join('')}`

const signatureOf = (line: string): NoteSignature | null => {
  const [, keyName = '', encoded = ''] = /^— ([^ ]+) ([^ ]+)$/.exec(line) ?? []
  const bytes = bytesOfBase64(encoded)
  if (!isKeyName(keyName) || bytes === null || bytes.length < 5) return null
  return { keyName, keyId: Buffer.from(bytes.subarray(0, 4)).toString('hex'), signature: bytes.subarray(4) }
}

/**
 * Reads lines of signatures, as a note ends with and as a witness answers.
 * Shape: one line or more, each with its newline. Errors: `MalformedNote`.
 */
export const parseSignatures = (lines: string): E.Either<MalformedNote, ReadonlyArray<NoteSignature>> => {
  if (lines.length > noteLimits.length) return malformed('tooLong')
  if (lines === '') return malformed('noSignatures')
  if (!lines.endsWith('\n')) return malformed('signatureLine')
  const each = lines.slice(0, -1).split('\n')
  if (each.length > noteLimits.signatures) return malformed('tooManySignatures')
  const signatures = each.map(signatureOf)
  return signatures.every((signature) => signature !== null) ? E.right(signatures) : malformed('signatureLine')
}

/**
 * Reads a signed note. Its text is separated from the signatures by the last empty line.
 * Errors: `MalformedNote` for any text that `printNote` does not write back letter by letter.
 * Source: c2sp.org/signed-note, "Format".
 */
export const parseNote = (note: string): E.Either<MalformedNote, SignedNote> => {
  if (note.length > noteLimits.length) return malformed('tooLong')
  if (!note.isWellFormed()) return malformed('notUtf8')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
  if (/[\u0000-\u0009\u000b-\u001f]/.test(note)) return malformed('controlCharacter')
  const end = note.lastIndexOf('\n\n')
  if (end === -1) return malformed('noSignatures')
  return E.map((signatures: ReadonlyArray<NoteSignature>) => ({ text: note.slice(0, end + 1), signatures }))(
    parseSignatures(note.slice(end + 2)),
  )
}
