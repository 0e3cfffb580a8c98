import { printAddCheckpoint, printCheckpoint, proveConsistency, type TreeHead } from '@quittance/transparency'
import { memoryTree } from '@quittance/transparency/testing/memory-tree'
import { signedBy, type TestKey, testKey } from '@quittance/transparency/testing/test-key'
import * as E from 'fp-ts/lib/Either.js'

const leaves = (word: string) => Array.from({ length: 100 }, (_, at) => Buffer.from(`${word} ${at}`))

/** A log of 100 leaves, and another history of it. */
export const testLog = (origin: string, seed: number) => {
  const key: TestKey = testKey(origin, 'ed25519', seed)
  const tree = memoryTree(leaves('leaf'))
  const fork = memoryTree(leaves('fork'))
  const requestOf = async (oldSize: number, head: TreeHead, from: typeof tree, by: TestKey, as: string) => {
    const text = printCheckpoint({ origin: as, ...head })
    const proof = await proveConsistency(BigInt(oldSize), head.size, from.read)
    return printAddCheckpoint({
      oldSize: BigInt(oldSize),
      proof: E.isRight(proof) ? proof.right : [],
      checkpoint: { text, signatures: [await signedBy(by, text)] },
    })
  }
  return {
    key,
    /** The text of the checkpoint of a size. */
    textAt: (size: number) => printCheckpoint({ origin, ...tree.headAt(size) }),
    /** The body that asks for a cosignature of `size` leaves; perhaps signed by another key, or for another origin. */
    request: (oldSize: number, size: number, by = key, as = origin) =>
      requestOf(oldSize, tree.headAt(size), tree, by, as),
    /** The same of the other history. */
    forged: (oldSize: number, size: number) => requestOf(oldSize, fork.headAt(size), fork, key, origin),
  }
}
