import * as E from 'fp-ts/lib/Either.js'
import { hashesOf, printHashes } from '../hash-lines.ts'
import type { Hash } from '../merkle/hashes.ts'
import { noteLimits, parseNote, printNote, type SignedNote } from '../note/note.ts'
import { wholeNumber } from '../note/strict-text.ts'

/** What a log asks of a witness: to cosign a checkpoint, by the proof that it continues one of `oldSize` leaves. */
export type AddCheckpoint = {
  readonly oldSize: bigint
  readonly proof: ReadonlyArray<Hash>
  readonly checkpoint: SignedNote
}

/** A text that is no such request. */
export type MalformedRequest = { readonly _tag: 'MalformedRequest' }

/** The longest request that is read, in bytes and in UTF-16 units: the longest note, and the lines before it. */
export const requestLimit = noteLimits.length + 4_096

/** A request as the body of `POST …/add-checkpoint`. Source: c2sp.org/tlog-witness, "add-checkpoint". */
export const printAddCheckpoint = ({ oldSize, proof, checkpoint }: AddCheckpoint): string =>
  `old ${oldSize}\n${printHashes(proof)}\n${printNote(checkpoint)}`

const malformed: E.Either<MalformedRequest, never> = E.left({ _tag: 'MalformedRequest' })

/** Reads such a body. Errors: `MalformedRequest` for any text that `printAddCheckpoint` does not write. */
export const parseAddCheckpoint = (body: string): E.Either<MalformedRequest, AddCheckpoint> => {
  const end = body.indexOf('\n\n')
  if (end === -1 || body.length > requestLimit) return malformed
  const [first = '', ...lines] = body.slice(0, end).split('\n')
  const oldSize = first.startsWith('old ') ? wholeNumber(first.slice('old '.length)) : null
  const proof = hashesOf(lines)
  const checkpoint = parseNote(body.slice(end + 2))
  if (oldSize === null || proof === null || E.isLeft(checkpoint)) return malformed
  return E.right({ oldSize, proof, checkpoint: checkpoint.right })
}

/** The media type of the answer that tells a log the size of the latest checkpoint. */
export const sizeType = 'text/x.tlog.size'

/** The size of the latest checkpoint, as the body of a 409. */
export const printSize = (size: bigint): string => `${size}\n`

/** Reads the body of a 409; null where it is no size. */
export const parseSize = (body: string): bigint | null => (body.endsWith('\n') ? wholeNumber(body.slice(0, -1)) : null)
