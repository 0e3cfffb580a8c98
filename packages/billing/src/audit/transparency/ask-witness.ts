import {
  type NoteSignature,
  parseSignatures,
  parseSize,
  printAddCheckpoint,
  proveConsistency,
  type ReadTiles,
  type SignedNote,
  type VerifierKey,
  verifyNote,
} from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'

/** Somebody who cosigns checkpoints, and the key of those cosignatures. `url` has no slash at its end. */
export type Witness = { readonly url: string; readonly key: VerifierKey }

/** Sends a request to a witness. Rejects where it does not answer. */
export type PostToWitness = (url: string, body: string) => Promise<{ readonly status: number; readonly text: string }>

/** What became of asking a witness. It cosigns nothing that does not continue what it has cosigned before. */
export type WitnessAnswer =
  | { readonly _tag: 'Cosigned'; readonly signatures: ReadonlyArray<NoteSignature> }
  | { readonly _tag: 'WitnessUnreachable'; readonly cause: string }
  /** `latest`: it has cosigned a larger checkpoint of this log, which therefore went back; else null. */
  | { readonly _tag: 'WitnessRefused'; readonly status: number; readonly latest: bigint | null }

type Asked = {
  readonly post: PostToWitness
  readonly readTiles: ReadTiles
  readonly checkpoint: SignedNote
  readonly size: bigint
}

const conflict = 409

const ask = async (
  { post, readTiles, checkpoint, size }: Asked,
  { url, key }: Witness,
  oldSize: bigint,
): Promise<WitnessAnswer> => {
  const proof = await proveConsistency(oldSize, size, readTiles)
  if (E.isLeft(proof)) return { _tag: 'WitnessUnreachable', cause: `there is no proof from ${oldSize} to ${size}` }
  const body = printAddCheckpoint({ oldSize, proof: proof.right, checkpoint })
  const answer = await post(`${url}/add-checkpoint`, body)
  if (answer.status !== 200)
    return {
      _tag: 'WitnessRefused',
      status: answer.status,
      latest: answer.status === conflict ? parseSize(answer.text) : null,
    }
  const signatures = E.chainW((lines: ReadonlyArray<NoteSignature>) =>
    verifyNote({ text: checkpoint.text, signatures: lines }, [key]),
  )(parseSignatures(answer.text))
  return E.isRight(signatures)
    ? {
        _tag: 'Cosigned',
        signatures: signatures.right.map(({ keyName, keyId, signature }) => ({ keyName, keyId, signature })),
      }
    : { _tag: 'WitnessUnreachable', cause: 'its answer is no cosignature of its key' }
}

/**
 * Asks a witness to cosign a checkpoint of `size` events. `known`: how many events the one had that it last cosigned, as far as
 * is remembered; a witness that knows another one says so, and is asked once more.
 * Source: c2sp.org/tlog-witness, "add-checkpoint".
 */
export const askWitness = async (asked: Asked, witness: Witness, known: bigint): Promise<WitnessAnswer> => {
  try {
    const first = await ask(asked, witness, known <= asked.size ? known : 0n)
    if (first._tag !== 'WitnessRefused' || first.latest === null || first.latest > asked.size) return first
    return await ask(asked, witness, first.latest)
  } catch (cause) {
    return { _tag: 'WitnessUnreachable', cause: cause instanceof Error ? cause.message : String(cause) }
  }
}
