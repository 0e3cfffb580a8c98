import * as E from 'fp-ts/lib/Either.js'
import { hashBytes } from './merkle/hashes.ts'
import type { TreeHead } from './merkle/verify.ts'
import { base64Of, bytesOfBase64, int64Max, wholeNumber } from './note/strict-text.ts'

/** The head of a log's tree. `origin` names the log, and should be the name of its key. */
export type Checkpoint = TreeHead & { readonly origin: string }

/** Why a note's text is no checkpoint. Extension lines are refused: nobody can audit them. */
export type MalformedCheckpoint = {
  readonly _tag: 'MalformedCheckpoint'
  readonly problem: 'lines' | 'size' | 'root'
}

const malformed = (problem: MalformedCheckpoint['problem']): E.Either<MalformedCheckpoint, never> =>
  E.left({ _tag: 'MalformedCheckpoint', problem })

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
const isOrigin = (text: string): boolean => text !== '' && text.isWellFormed() && !/[\u0000-\u001f]/.test(text)

/**
 * A checkpoint as the text of a note: origin, size and root, each on its line.
 * Errors: throws `RangeError` for values that no log has, such as an origin of two lines.
 * Source: c2sp.org/tlog-checkpoint, "Note text".
 */
export const printCheckpoint = ({ origin, size, root }: Checkpoint): string => {
  if (!isOrigin(origin)) throw new RangeError('An origin is one line that is not empty')
  if (size < 0n || size > int64Max) throw new RangeError(`A tree has from 0 to 2^63 - 1 leaves, not ${size}`)
  if (root.length !== hashBytes) throw new RangeError(`A root has ${hashBytes} bytes, not ${root.length}`)
  return `${origin}\n${size}\n${base64Of(root)}\n`
}

/**
 * Reads a checkpoint from the text of a note.
 * Errors: `MalformedCheckpoint` for any text that `printCheckpoint` does not write.
 */
export const parseCheckpoint = (text: string): E.Either<MalformedCheckpoint, Checkpoint> => {
  const [origin = '', size = '', root = '', end, ...others] = text.split('\n')
  if (!isOrigin(origin) || end !== '' || others.length > 0) return malformed('lines')
  const leaves = wholeNumber(size)
  if (leaves === null) return malformed('size')
  const hash = bytesOfBase64(root)
  return hash?.length === hashBytes ? E.right({ origin, size: leaves, root: hash }) : malformed('root')
}
